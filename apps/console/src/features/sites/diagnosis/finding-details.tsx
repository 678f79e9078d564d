import { Button } from '@mantine/core';
import type { Finding, FindingPlace } from '@opensocial/contract';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useAdminNetwork } from '../../../api/session/admin-network.ts';
import { ComparisonTable } from '../../../patterns/comparison-table/comparison-table.tsx';
import { toSiteTab } from '../sites.links.ts';
import classes from './site-diagnosis.module.css';

type FindingDetailsProps = {
  site: { id: number; domain: string };
  finding: Finding;
  /** Opens the form with the SSO parameters, if the finding is about them. */
  onEdit: (() => void) | undefined;
  children?: ReactNode;
};

const links: Partial<Record<FindingPlace, { label: string; tab: string }>> = {
  metadata: { label: 'Compare with the metadata', tab: 'metadata' },
  attributes: { label: 'Edit the attributes', tab: 'attributes' },
  details: { label: 'Edit the site details', tab: 'details' },
  groups: { label: 'See the groups', tab: 'groups' },
};

/** What to do about a finding, with the received and the registered values side by side. */
export function FindingDetails({ site, finding, onEdit, children }: FindingDetailsProps) {
  const network = useAdminNetwork();
  const link = finding.is_current ? links[finding.place] : undefined;
  return (
    <>
      {finding.compared.length > 0 && (
        <ComparisonTable
          className={classes.table}
          caption="Received and registered values"
          sides={['Received', 'Registered']}
          rows={finding.compared.map(({ label, received, registered }) => ({
            label,
            isMarked: finding.is_current && received !== registered,
            values: [<Value key="received" text={received} />, <Value key="registered" text={registered} />],
          }))}
        />
      )}
      {finding.advice && <p className={classes.advice}>{finding.advice}</p>}
      {(children || link || (onEdit && finding.is_current)) && (
        <div className={classes.buttons}>
          {children}
          {onEdit && finding.is_current && (
            <Button variant="default" onClick={onEdit}>
              Edit SSO parameters
            </Button>
          )}
          {link && (
            <Button variant="default" component={Link} to={toSiteTab(network.name, site, link.tab)}>
              {link.label}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

function Value({ text }: { text: string }) {
  return <span className={classes.value}>{text || '–'}</span>;
}
