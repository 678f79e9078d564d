import { Button } from '@mantine/core';
import type { OidcClient } from '@opensocial/contract';
import { IconPlus } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { CopyField } from '../../../patterns/copy-field/copy-field.tsx';
import formClasses from '../../../patterns/form/form.module.css';
import { FormWarning } from '../../../patterns/form/form-warning.tsx';
import { showErrorField } from '../../../patterns/toast/show-error-field.tsx';
import { showSuccess } from '../../../patterns/toast/show-success.tsx';
import factClasses from '../identity-provider-facts.module.css';
import { ApplicationSelect } from '../recipes/application-select.tsx';
import { ConfigurationParts } from '../recipes/configuration-parts.tsx';
import { SignOutHint } from '../recipes/sign-out-hint.tsx';
import { SsoSection } from '../sso/sso-section.tsx';
import classes from './application-guide.module.css';
import { type Application, baseOf, newOwnSecret } from './applications/application.ts';
import { applications } from './applications/applications.ts';
import { toChanges, toValues } from './oidc-values.ts';
import { saveOidcClient } from './sites.oidc.api.ts';

/** Shown instead of a secret that was made earlier. */
const secretPlaceholder = '<client secret>';

type ApplicationGuideProps = {
  client: OidcClient;
  /** The secret if it was just made, otherwise empty. */
  secret: string;
  /** The application that is chosen first. */
  initial?: string | undefined;
};

/** The application whose redirect addresses a client has, if there is exactly one. */
const recognise = (client: OidcClient): string | null => {
  const matching = applications.filter((application) => {
    const addresses = application.redirectUris(baseOf(application, client));
    return addresses.length > 0 && addresses.every((address) => client.redirect_uris.includes(address));
  });
  return matching.length === 1 ? (matching[0]?.id ?? null) : null;
};

/** The configuration of common applications, with the values of a client. */
export function ApplicationGuide({ client, secret, initial }: ApplicationGuideProps) {
  const [chosen, setChosen] = useState<string | null>(initial || recognise(client));
  const application = applications.find(({ id }) => id === chosen);
  return (
    <SsoSection title="Configure the application">
      <ApplicationSelect applications={applications} value={application?.id ?? null} onChange={setChosen} />
      {application && <Configuration key={application.id} application={application} client={client} secret={secret} />}
    </SsoSection>
  );
}

type ConfigurationProps = Omit<ApplicationGuideProps, 'initial'> & { application: Application };

function Configuration({ application, client, secret }: ConfigurationProps) {
  const base = baseOf(application, client);
  // The value stays the same while the text is shown, so that what was copied is also what is read.
  const [ownSecret] = useState(newOwnSecret);
  const values = { ...client, base, secret: secret || secretPlaceholder, ownSecret };
  const { configure, hint, backChannel } = application;
  const needsSecret = application.authentication === 'secret';
  return (
    <>
      {faultsOf(application, client).map((fault) => (
        <FormWarning key={fault}>{fault}</FormWarning>
      ))}
      <MissingRedirects application={application} client={client} />
      {needsSecret && !secret && client.authentication === 'secret' && (
        <p className={formClasses.hint}>
          Replace {secretPlaceholder} by the secret. If you no longer have it, create another one.
        </p>
      )}
      <ConfigurationParts parts={configure(values)} />
      <p className={formClasses.hint}>{hint}</p>
      {client.post_logout_uris.length > 0 && <SignOutHint name={application.name} />}
      {backChannel && client.backchannel_logout_uri === '' && !base.startsWith('https://') && (
        <p className={formClasses.hint}>
          People who sign out here stay signed in to {application.name}, because our server reports sign-outs only to
          addresses that begin with https://.
        </p>
      )}
      {backChannel && client.backchannel_logout_uri === '' && base.startsWith('https://') && (
        <>
          <p className={formClasses.hint}>
            People who sign out here stay signed in to {application.name}, because this site has no back-channel logout
            address. If our server can reach the application, enter this one in the panel of the site: under Single
            sign-on, Edit SSO parameters, Advanced.
          </p>
          <dl className={factClasses.facts}>
            <CopyField label="Back-channel logout URL of the application" value={backChannel(base)} />
          </dl>
        </>
      )}
    </>
  );
}

/** Parameters of the client with which the application would not work. */
const faultsOf = ({ name, authentication, usesPkce }: Application, client: OidcClient): string[] => {
  const faults: string[] = [];
  if (authentication === 'secret' && client.authentication !== 'secret')
    faults.push(`${name} authenticates with a secret. Change the authentication of this site to Secret.`);
  if (authentication === 'none' && client.authentication !== 'none')
    faults.push(`${name} has no secret. Change the authentication of this site to Public client.`);
  if (!usesPkce && client.requires_pkce)
    faults.push(`${name} may not support PKCE. If sign-ins fail, switch off Require PKCE for this site.`);
  return faults;
};

type MissingRedirectsProps = { application: Application; client: OidcClient };

/** Offers the redirect addresses of the application that the client has not registered. */
function MissingRedirects({ application, client }: MissingRedirectsProps) {
  const saving = useMutation(saveOidcClient(client.id));
  const missing = application
    .redirectUris(baseOf(application, client))
    .filter((uri) => !client.redirect_uris.includes(uri));
  if (missing.length === 0) return null;
  const handleAdd = () => {
    const values = toValues(client);
    const redirect_uris = [...client.redirect_uris, ...missing].join('\n');
    saving.mutate(toChanges(client.id, { ...values, redirect_uris }), {
      onError: showErrorField,
      onSuccess: () => showSuccess('The redirect URL was added.'),
    });
  };
  const isOne = missing.length === 1;
  return (
    <div className={classes.missing}>
      <FormWarning>
        <span className={classes.words}>
          {application.name} uses {isOne ? 'a redirect URL' : 'redirect URLs'} that this site does not have:
          {missing.map((uri) => (
            <span key={uri} className={classes.address}>
              {uri}
            </span>
          ))}
        </span>
      </FormWarning>
      <Button
        variant="default"
        leftSection={<IconPlus size={16} stroke={1.8} />}
        loading={saving.isPending}
        onClick={handleAdd}
      >
        {isOne ? 'Add this address' : 'Add these addresses'}
      </Button>
    </div>
  );
}
