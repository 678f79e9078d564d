import type { SiteRow } from '@opensocial/contract';
import { initialOf } from '@opensocial/look/initial';
import type { Column } from '../../patterns/record-list/model/list-description.ts';
import { StateBadge, StateDot } from '../../patterns/state-mark/state-mark.tsx';
import classes from './site-columns.module.css';

const metadataStates = { '': '', changed: 'metadata changed', failed: 'metadata unreadable' } as const;

/** Sites that use SAML are the usual ones. */
const protocols = { saml: '', oidc: 'OpenID Connect' } as const;

/** §2.6, the columns in their order. */
export const siteColumns: readonly Column<SiteRow>[] = [
  {
    id: 'name',
    header: 'site name',
    cell: ({ domain, protocol, site_mode, status, metadata_state }) => (
      <span className={classes.site}>
        <span className={classes.plate} aria-hidden="true">
          {initialOf(domain)}
        </span>
        <span className={classes.domain} title={domain}>
          {domain}
          <span data-narrow-only>
            {[site_mode, status, metadataStates[metadata_state], protocols[protocol]].filter(Boolean).join(' · ')}
          </span>
        </span>
        {protocol === 'oidc' && <span className={classes.protocol}>{protocols[protocol]}</span>}
        {metadata_state && (
          <span className={classes.mark}>
            <StateBadge tone="warn">{metadataStates[metadata_state]}</StateBadge>
          </span>
        )}
      </span>
    ),
  },
  {
    id: 'mode',
    header: 'site mode',
    width: 140,
    wideOnly: true,
    cell: ({ site_mode }) => <StateDot tone={site_mode === 'Open' ? 'good' : 'warn'}>{site_mode}</StateDot>,
  },
  {
    id: 'status',
    header: 'status',
    width: 140,
    wideOnly: true,
    cell: ({ status }) => <StateBadge tone={status === 'Active' ? 'good' : 'quiet'}>{status}</StateBadge>,
  },
];
