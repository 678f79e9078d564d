import type { SiteOverview, Subscriber } from '@opensocial/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAdminNetwork } from '../../../api/session/admin-network.ts';
import { networkDetailsQuery } from '../../../api/session/network-details.ts';
import formClasses from '../../../patterns/form/form.module.css';
import { FormWarning } from '../../../patterns/form/form-warning.tsx';
import { ApplicationSelect } from '../recipes/application-select.tsx';
import { ConfigurationParts } from '../recipes/configuration-parts.tsx';
import { SignOutHint } from '../recipes/sign-out-hint.tsx';
import { SsoSection } from '../sso/sso-section.tsx';
import { baseOf, type SamlApplication } from './applications/application.ts';
import { samlApplications } from './applications/applications.ts';

type SamlGuideProps = {
  site: Subscriber;
  overview: SiteOverview;
  /** The application that is chosen first. */
  initial?: string | undefined;
};

/** The application whose entity id and ACS URL a site has, if there is exactly one. */
const recognise = (site: Subscriber): string | null => {
  const matching = samlApplications.filter((application) => {
    const { identity, acs } = application.register(baseOf(application, site));
    return identity === site.identity && acs === site.acs;
  });
  return matching.length === 1 ? (matching[0]?.id ?? null) : null;
};

/** The configuration of common applications that use SAML, with the values of our identity provider. */
export function SamlGuide({ site, overview, initial }: SamlGuideProps) {
  const [chosen, setChosen] = useState<string | null>(initial || recognise(site));
  const application = samlApplications.find(({ id }) => id === chosen);
  return (
    <SsoSection title="Configure the application">
      <ApplicationSelect applications={samlApplications} value={application?.id ?? null} onChange={setChosen} />
      {application && <Configuration application={application} site={site} overview={overview} />}
    </SsoSection>
  );
}

type ConfigurationProps = { application: SamlApplication; site: Subscriber; overview: SiteOverview };

function Configuration({ application, site, overview }: ConfigurationProps) {
  const network = useAdminNetwork();
  const { data } = useQuery(networkDetailsQuery(network));
  if (!data) return null;
  const base = baseOf(application, site);
  const { identity, acs } = application.register(base);
  const parts = application.configure({
    base,
    entityId: data.entity_id,
    ssoUrl: data.sso_url,
    sloUrl: data.slo_url,
    certificate: overview.certificate,
    fingerprint: overview.certificates.find(({ use }) => use === 'identity_provider')?.fingerprint ?? '',
  });
  return (
    <>
      {(identity !== site.identity || acs !== site.acs) && (
        <FormWarning>
          {application.name} usually has other addresses than this site. Compare the entity ID and the ACS URL on both
          sides.
        </FormWarning>
      )}
      <ConfigurationParts parts={parts} />
      <p className={formClasses.hint}>{application.hint}</p>
      {site.sls !== '' && <SignOutHint name={application.name} />}
    </>
  );
}
