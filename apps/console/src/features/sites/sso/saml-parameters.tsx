import type { SiteOverview, Subscriber } from '@opensocial/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useAdminNetwork } from '../../../api/session/admin-network.ts';
import { ErrorPanel } from '../../../patterns/error-panel/error-panel.tsx';
import { Fact, Facts, FactsSkeleton } from '../../../patterns/facts/facts.tsx';
import { SamlGuide } from '../saml/saml-guide.tsx';
import { subscriberQuery } from '../sites.api.ts';
import { CertificateList } from './certificate-list.tsx';
import { ProviderValues } from './provider-values.tsx';
import { SsoSection } from './sso-section.tsx';

type SamlParametersProps = {
  overview: SiteOverview;
  /** The button that edits the parameters. */
  edit: ReactNode;
};

/** The parameters of a site that uses SAML: what it gets from us, what we have registered, and the certificates of both. */
export function SamlParameters({ overview, edit }: SamlParametersProps) {
  const network = useAdminNetwork();
  const query = useQuery(subscriberQuery(network, overview.id));
  if (query.isLoadingError) return <ErrorPanel onRetry={() => void query.refetch()} retrying={query.isFetching} />;
  return (
    <>
      <SsoSection title="Enter these in your application">
        <ProviderValues overview={overview} />
      </SsoSection>
      <SsoSection title="Registered for this site">
        {query.data ? <Registered site={query.data} /> : <FactsSkeleton label="Loading the parameters" lines={6} />}
        {edit}
      </SsoSection>
      <SsoSection title="Certificates">
        <CertificateList certificates={overview.certificates} />
      </SsoSection>
      {query.data && <SamlGuide site={query.data} overview={overview} />}
    </>
  );
}

const signatures: Record<Subscriber['signs'], string> = {
  both: 'The response and the assertion',
  assertion: 'The assertion',
  response: 'The response',
};

const logoutBindings: Record<Subscriber['sls_binding'], string> = {
  auto: 'by redirect',
  redirect: 'by redirect',
  post: 'by POST',
  soap: 'from server to server (SOAP)',
};

type RegisteredProps = { site: Subscriber };

/** What we expect of the messages of a site, and what we send. */
function Registered({ site }: RegisteredProps) {
  return (
    <Facts>
      <Fact label="SSO Identity" hint="Requests must name it as their issuer, exactly.">
        {site.identity}
      </Fact>
      <Fact label="SSO ACS URL" hint="We send responses here, by POST. Requests may name no other address.">
        {site.acs}
      </Fact>
      {site.further_acs.length > 0 && (
        <Fact label="Further ACS URLs">{site.further_acs.map(({ index, url }) => `${url} (${index})`).join(', ')}</Fact>
      )}
      <Fact label="SSO SLS URL">
        {site.sls === ''
          ? 'None: it does not support single logout.'
          : `${site.sls}, ${logoutBindings[site.sls_binding]}`}
      </Fact>
      <Fact label="Requests to sign in">
        {site.signed_requests === 'Yes' ? 'Must be signed with the certificate of the site' : 'Need no signature'}
      </Fact>
      <Fact label="We sign">{signatures[site.signs]}</Fact>
      <Fact label="Assertions are encrypted">{site.encrypts}</Fact>
      {site.metadata_url && (
        <Fact label="Metadata" hint="It is read again every day.">
          {site.metadata_url}
        </Fact>
      )}
    </Facts>
  );
}
