import type { OidcAuthentication, OidcClient } from '@opensocial/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ErrorPanel } from '../../../patterns/error-panel/error-panel.tsx';
import { Fact, Facts, FactsSkeleton } from '../../../patterns/facts/facts.tsx';
import formClasses from '../../../patterns/form/form.module.css';
import { SsoSection } from '../sso/sso-section.tsx';
import { ApplicationGuide } from './application-guide.tsx';
import { ClientFacts } from './client-facts.tsx';
import { ClientSecrets } from './client-secrets.tsx';
import { oidcClientQuery } from './sites.oidc.api.ts';

const noSecrets = {
  private_key_jwt: 'This site signs with its own key, so it has no secret.',
  none: 'This site is a public client, so it has no secret.',
};

type OidcParametersProps = {
  id: number;
  /** The button that edits the parameters. */
  edit: ReactNode;
};

/** The parameters of a site that uses OpenID Connect: what it gets from us, and what we have registered. */
export function OidcParameters({ id, edit }: OidcParametersProps) {
  const { data: client, ...query } = useQuery(oidcClientQuery(id));
  const [secret, setSecret] = useState('');
  if (query.isLoadingError) return <ErrorPanel onRetry={() => void query.refetch()} retrying={query.isFetching} />;
  if (!client) return <FactsSkeleton label="Loading the parameters" lines={4} />;
  return (
    <>
      <SsoSection title="Enter these in your application">
        <ClientFacts client={client} />
      </SsoSection>
      {client.authentication === 'secret' ? (
        <ClientSecrets client={client} secret={secret} onMade={setSecret} />
      ) : (
        <p className={formClasses.hint}>{noSecrets[client.authentication]}</p>
      )}
      <SsoSection title="Registered for this site">
        <Registered client={client} />
        {edit}
      </SsoSection>
      <ApplicationGuide client={client} secret={client.authentication === 'secret' ? secret : ''} />
    </>
  );
}

const authentications: Record<OidcAuthentication, string> = {
  secret: 'With a secret',
  private_key_jwt: 'With its own key (JWT)',
  none: 'Not at all: it is a public client and must use PKCE',
};

type RegisteredProps = { client: OidcClient };

/** What we expect of the requests of a site, and what we send. */
function Registered({ client }: RegisteredProps) {
  const { redirect_uris, post_logout_uris, backchannel_logout_uri, frontchannel_logout_uri } = client;
  const logouts = [backchannel_logout_uri, frontchannel_logout_uri].filter(Boolean);
  return (
    <Facts>
      <Fact label="Redirect URLs" hint="Requests must name one of them, exactly.">
        {redirect_uris.join(', ')}
      </Fact>
      {post_logout_uris.length > 0 && <Fact label="Sign-out redirect URLs">{post_logout_uris.join(', ')}</Fact>}
      <Fact label="It authenticates">{authentications[client.authentication]}</Fact>
      <Fact label="PKCE">{client.requires_pkce ? 'Required' : 'Accepted, not required'}</Fact>
      <Fact label="ID tokens are signed with">{client.algorithm}</Fact>
      <Fact label="It is told about sign-outs">{logouts.length > 0 ? logouts.join(', ') : 'No'}</Fact>
    </Facts>
  );
}
