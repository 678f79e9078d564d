import { Button } from '@mantine/core';
import type { SiteOverview } from '@opensocial/contract';
import { IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useParams } from 'react-router';
import { queryClient } from '../../../api/transport/query-client.ts';
import { ErrorPanel } from '../../../patterns/error-panel/error-panel.tsx';
import { FactsSkeleton } from '../../../patterns/facts/facts.tsx';
import formClasses from '../../../patterns/form/form.module.css';
import { SiteDiagnosis } from '../diagnosis/site-diagnosis.tsx';
import { SiteHealth } from '../health/site-health.tsx';
import { SiteMaintenance } from '../maintenance/site-maintenance.tsx';
import { OidcParameters } from '../oidc/oidc-parameters.tsx';
import { SiteTest } from '../site-test/site-test.tsx';
import { siteQuery } from '../sites.api.ts';
import { siteAnchors } from '../sites.links.ts';
import { LastSignIns } from './last-sign-ins.tsx';
import { OpenPoints } from './open-points.tsx';
import { SamlParameters } from './saml-parameters.tsx';
import classes from './site-sso-tab.module.css';
import { siteOverviewQuery } from './sites.overview.api.ts';
import { SsoSection } from './sso-section.tsx';

const SiteModal = lazy(async () => ({ default: (await import('../site-modal.tsx')).SiteModal }));

/** How often the state is read again, in milliseconds. The diagnosis below shows new sign-ins too. */
const interval = 10_000;

/** §2.7, Single sign-on: what is set up, what both sides know of each other, and how sign-ins went. */
export function SiteSsoTab() {
  const { site_id = '', site_name: domain = '' } = useParams();
  const id = Number(site_id);
  const query = useQuery(siteOverviewQuery(id, interval));
  if (query.isLoadingError) return <ErrorPanel onRetry={() => void query.refetch()} retrying={query.isFetching} />;
  if (!query.data) return <FactsSkeleton label="Loading the parameters" lines={6} />;
  return <SsoPage key={id} overview={query.data} domain={domain} />;
}

type SsoPageProps = { overview: SiteOverview; domain: string };

function SsoPage({ overview, domain }: SsoPageProps) {
  const { data: site } = useQuery(siteQuery(overview.id));
  const [isEditing, setIsEditing] = useState(false);
  const handleEdited = () => {
    setIsEditing(false);
    void queryClient.invalidateQueries({ queryKey: ['sites'] });
  };
  const edit = (
    <div className={formClasses.row}>
      <Button variant="default" leftSection={<IconPencil size={16} stroke={1.8} />} onClick={() => setIsEditing(true)}>
        Edit SSO parameters
      </Button>
    </div>
  );
  return (
    <div className={classes.sections}>
      <SsoSection title="State">
        <OpenPoints overview={overview} domain={domain} />
        <LastSignIns overview={overview} />
      </SsoSection>
      <SsoSection title="Health">
        <SiteHealth siteId={overview.id} />
      </SsoSection>
      <SsoSection title="Test sign-in">
        <SiteTest site={{ id: overview.id, name: site?.site_name ?? domain, domain }} />
      </SsoSection>
      <SsoSection title="Diagnosis" anchor={siteAnchors.diagnosis}>
        <SiteDiagnosis site={{ id: overview.id, domain }} />
      </SsoSection>
      {overview.protocol === 'saml' ? (
        <SamlParameters overview={overview} edit={edit} />
      ) : (
        <OidcParameters id={overview.id} edit={edit} />
      )}
      <SsoSection title="Maintenance">
        <SiteMaintenance siteId={overview.id} />
      </SsoSection>
      <Suspense>
        {isEditing && site && (
          <SiteModal site={{ id: site.id, domain: site.domain, protocol: site.protocol }} onClose={handleEdited} />
        )}
      </Suspense>
    </div>
  );
}
