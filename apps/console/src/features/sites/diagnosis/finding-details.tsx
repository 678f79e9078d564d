import { Button } from '@mantine/core';
import type { Finding, FindingPlace, SiteProtocol } from '@opensocial/contract';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Link } from 'react-router';
import { useAdminNetwork } from '../../../api/session/admin-network.ts';
import { queryClient } from '../../../api/transport/query-client.ts';
import { ComparisonTable } from '../../../patterns/comparison-table/comparison-table.tsx';
import { CopyButton } from '../../../patterns/copy-field/copy-button.tsx';
import { toSiteSection, toSiteTab } from '../sites.links.ts';
import classes from './site-diagnosis.module.css';

const SiteModal = lazy(async () => ({ default: (await import('../site-modal.tsx')).SiteModal }));

export type DiagnosedSite = { id: number; domain: string; protocol: SiteProtocol };

type FindingDetailsProps = {
  site: DiagnosedSite;
  finding: Finding;
  /** Further buttons. */
  children?: ReactNode;
};

type Place = { label: string; link: (network: string, site: DiagnosedSite) => string };

const toTab =
  (tab: string): Place['link'] =>
  (network, site) =>
    toSiteTab(network, site, tab);

const places: Partial<Record<FindingPlace, Place>> = {
  secrets: { label: 'Go to the secrets', link: (network, site) => toSiteSection(network, site, 'secrets') },
  metadata: { label: 'Compare with the metadata', link: toTab('metadata') },
  attributes: { label: 'Edit the attributes', link: toTab('attributes') },
  details: { label: 'Edit the site details', link: toTab('details') },
  groups: { label: 'See the groups', link: toTab('groups') },
};

/** What to do about a finding, with the received and the registered values side by side. */
export function FindingDetails({ site, finding, children }: FindingDetailsProps) {
  const network = useAdminNetwork();
  const [isEditing, setIsEditing] = useState(false);
  const place = finding.is_current ? places[finding.place] : undefined;
  const isParameter = finding.is_current && finding.place === 'parameters';
  const handleEdited = () => {
    setIsEditing(false);
    void queryClient.invalidateQueries({ queryKey: ['sites'] });
  };
  return (
    <>
      {finding.compared.length > 0 && (
        <ComparisonTable
          caption="Received and registered values"
          sides={['Received', 'Registered']}
          rows={finding.compared.map(({ label, received, registered }) => ({
            label,
            isMarked: finding.is_current && received !== registered,
            values: [
              <Value key="received" name={`Copy received ${label}`} text={received} />,
              <Value key="registered" name={`Copy registered ${label}`} text={registered} />,
            ],
          }))}
        />
      )}
      {finding.advice && <p className={classes.advice}>{finding.advice}</p>}
      {(children || place || isParameter) && (
        <div className={classes.buttons}>
          {children}
          {isParameter && (
            <Button variant="default" onClick={() => setIsEditing(true)}>
              Edit SSO parameters
            </Button>
          )}
          {place && (
            <Button variant="default" component={Link} to={place.link(network.name, site)}>
              {place.label}
            </Button>
          )}
        </div>
      )}
      <Suspense>{isEditing && <SiteModal site={site} onClose={handleEdited} />}</Suspense>
    </>
  );
}

type ValueProps = { name: string; text: string };

/** A value is copied to be pasted in the form here, or in the settings of the application. A list or nothing is not. */
function Value({ name, text }: ValueProps) {
  const canCopy = text !== '' && !/\s/.test(text);
  return (
    <span className={classes.compared}>
      <span className={classes.value}>{text || '–'}</span>
      {canCopy && <CopyButton name={name} value={text} />}
    </span>
  );
}
