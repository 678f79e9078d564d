import '../../../patterns/form/fields.css';
import { Button, TextInput } from '@mantine/core';
import { SiteName } from '@opensocial/contract';
import { type FormEvent, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { toConnect, toSites } from '../../../api/links/panel-links.ts';
import { useAdminNetwork } from '../../../api/session/admin-network.ts';
import { CardChoice } from '../../../patterns/form/card-choice.tsx';
import formClasses from '../../../patterns/form/form.module.css';
import { FormError } from '../../../patterns/form/form-error.tsx';
import { IconField } from '../../../patterns/icon-field/icon-field.tsx';
import { SearchField } from '../../../patterns/search-field/search-field.tsx';
import { findRecipe, protocolNames, recipes } from '../recipes/recipes.ts';
import { useConnect } from './connect-context.ts';
import { SitesOfName } from './existing-sites.tsx';

/** The choices for applications without a recipe. */
const others = [
  {
    value: 'oidc',
    label: 'Another application with OpenID Connect',
    description:
      'Its settings ask for a client ID, a client secret, an issuer or a discovery URL. It may call this OAuth 2.0 or OIDC.',
  },
  {
    value: 'saml',
    label: 'Another application with SAML',
    description:
      'Its settings ask for an entity ID, an identity provider or a certificate, or it offers a metadata file.',
  },
];

const options = recipes.map(({ id, name, protocol }) => ({
  value: id,
  label: name,
  description: protocolNames[protocol],
}));

const matches = (name: string, search: string): boolean => name.toLowerCase().includes(search.trim().toLowerCase());

/** The first step: which application it is, and how it looks on the desktop. */
export function ApplicationStep() {
  const network = useAdminNetwork();
  const navigate = useNavigate();
  const { draft, onDraft } = useConnect();
  const [search, setSearch] = useState('');
  const [faults, setFaults] = useState<{ name?: string; recipe?: string }>({});
  const found = options.filter(({ label }) => matches(label, search));
  const handleChoice = (recipe: string) => {
    // A name that the person has typed stays.
    const isTyped = draft.name !== '' && draft.name !== nameOf(draft.recipe);
    onDraft({ recipe, ...(!isTyped && { name: nameOf(recipe) }) });
    setFaults({});
  };
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    const name = SiteName.safeParse(draft.name).error?.issues.at(0)?.message;
    const recipe = draft.recipe === '' ? 'Choose an application, or one of the two choices below the list.' : undefined;
    setFaults({ ...(name && { name }), ...(recipe && { recipe }) });
    if (!name && !recipe) void navigate(`${toConnect(network.name)}/connection`);
  };
  return (
    <form className={formClasses.form} noValidate onSubmit={handleSubmit}>
      <SearchField label="Search applications" value={search} onChange={setSearch} />
      <div>
        <CardChoice label="Application" many options={found} value={draft.recipe} onChange={handleChoice} />
        {found.length === 0 && (
          <p className={formClasses.hint} role="status">
            No results for “{search.trim()}”. Most applications work with one of the two choices below.
          </p>
        )}
      </div>
      <CardChoice label="Not in the list" options={others} value={draft.recipe} onChange={handleChoice} />
      <FormError>{faults.recipe}</FormError>
      <TextInput
        label="Name"
        description="As people see it on their desktop and when they sign in."
        withAsterisk
        autoComplete="off"
        value={draft.name}
        error={faults.name}
        onChange={(event) => onDraft({ name: event.currentTarget.value })}
      />
      <SitesOfName name={draft.name} />
      <IconField
        label="Icon"
        description="Optional. Without an icon, the tile shows the first letter of the name."
        value={draft.icon}
        onChange={(icon) => onDraft({ icon })}
      />
      <div className={formClasses.buttons}>
        <Button variant="default" component={Link} to={toSites(network.name)}>
          Cancel
        </Button>
        <Button type="submit">Continue</Button>
      </div>
    </form>
  );
}

/** The name of an application without what is in parentheses, which people need not know. Empty if there is no recipe for it. */
const nameOf = (recipe: string): string => findRecipe(recipe)?.name.replace(/\s*\(.*\)$/, '') ?? '';
