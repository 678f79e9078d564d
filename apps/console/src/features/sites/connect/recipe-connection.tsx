import { Button, TextInput } from '@mantine/core';
import { ApiError } from '@opensocial/contract';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import { toConnect } from '../../../api/links/panel-links.ts';
import { useAdminNetwork } from '../../../api/session/admin-network.ts';
import { errorText } from '../../../api/transport/error-text.ts';
import { BusyButton } from '../../../patterns/busy-button/busy-button.tsx';
import formClasses from '../../../patterns/form/form.module.css';
import { FormError } from '../../../patterns/form/form-error.tsx';
import { faultsOf, type OidcValues } from '../oidc/oidc-values.ts';
import { domainOf, type Recipe, toBase } from '../recipes/recipes.ts';
import { useConnect } from './connect-context.ts';
import { SitesAtHost } from './existing-sites.tsx';
import { RegisteredFacts, SamlFacts } from './registered-facts.tsx';
import { oidcValuesOf, samlFaultsOf, samlValuesOf, toOidcDraft, toSamlDraft } from './registration.ts';
import { useRegistration } from './use-registration.ts';

type RecipeConnectionProps = {
  recipe: Recipe;
  /** Called with the address of the application, to change the parameters before the site is registered. */
  onDetails: (base: string) => void;
};

const noAddress = 'Enter the address of the application, such as https://app.example.org.';

/** Asks for the address of an application, and shows what is registered for it. */
export function RecipeConnection({ recipe, onDetails }: RecipeConnectionProps) {
  const network = useAdminNetwork();
  const { draft, onDraft } = useConnect();
  const { isBusy, error, registerSaml, registerOidc } = useRegistration();
  const [fault, setFault] = useState<string>();
  const base = toBase(draft.address);
  const check = (): string | undefined => {
    const [first] = base === undefined ? [noAddress] : Object.values(faultsAt(recipe, base));
    setFault(first);
    return first === undefined ? base : undefined;
  };
  const registerClient = (values: OidcValues, address: string) =>
    registerOidc(toOidcDraft(values, draft, address), {
      onError: (refused) => {
        // The address may lead to a private network. The recipe has proposed it, and it is not needed to sign in. The next step says that it is missing.
        if (isBackChannelRefused(refused) && values.backchannel_logout_uri !== '')
          registerClient({ ...values, backchannel_logout_uri: '' }, address);
      },
    });
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    const address = isBusy ? undefined : check();
    if (address === undefined) return;
    if (recipe.protocol === 'oidc') registerClient(oidcValuesOf(recipe.application, address), address);
    else registerSaml(toSamlDraft(samlValuesOf(recipe.application, address), draft));
  };
  const addressHint = recipe.protocol === 'saml' ? recipe.application.addressHint : undefined;
  return (
    <form className={formClasses.form} noValidate onSubmit={handleSubmit}>
      <TextInput
        label={`Address of ${draft.name}`}
        description={addressHint ?? 'As people open it in the browser.'}
        placeholder="https://app.example.org"
        type="url"
        withAsterisk
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        readOnly={isBusy}
        value={draft.address}
        error={fault}
        onChange={(event) => {
          setFault(undefined);
          onDraft({ address: event.currentTarget.value });
        }}
      />
      {base !== undefined && (
        <p className={formClasses.hint}>
          This will be registered here. You need not copy it: the next step has the settings of the application.
        </p>
      )}
      {base !== undefined && <SitesAtHost domain={domainOf(base)} />}
      {base !== undefined && <RecipeFacts recipe={recipe} base={base} />}
      <FormError>{error && errorText(error)}</FormError>
      <div className={formClasses.buttons}>
        <Button variant="default" component={Link} to={toConnect(network.name)}>
          Back
        </Button>
        <Button
          variant="default"
          onClick={() => {
            const address = check();
            if (address !== undefined) onDetails(address);
          }}
        >
          Change details
        </Button>
        <BusyButton type="submit" busy={isBusy} busyText="please wait ....">
          Add application
        </BusyButton>
      </div>
    </form>
  );
}

/** Whether our server may not call the address: it is not public, or not https. */
const isBackChannelRefused = (error: Error): boolean =>
  error instanceof ApiError && error.code === 'back_channel_refused';

const faultsAt = (recipe: Recipe, base: string): Record<string, string> =>
  recipe.protocol === 'oidc'
    ? faultsOf(oidcValuesOf(recipe.application, base))
    : samlFaultsOf(samlValuesOf(recipe.application, base));

type RecipeFactsProps = { recipe: Recipe; base: string };

/** What is registered for the application at this address. */
function RecipeFacts({ recipe, base }: RecipeFactsProps) {
  if (recipe.protocol === 'saml') return <SamlFacts site={samlValuesOf(recipe.application, base)} />;
  return (
    <RegisteredFacts
      protocol="oidc"
      domain={domainOf(base)}
      facts={[
        {
          label: 'Redirect URLs',
          value: recipe.application.redirectUris(base).join(', '),
          hint: 'Where people return to after they have signed in here.',
        },
      ]}
    />
  );
}
