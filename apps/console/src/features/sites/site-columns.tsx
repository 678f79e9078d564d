import { type SiteRow, siteTitle } from '@opensocial/contract';
import { thumbnailAddress } from '../../api/links/image-address.ts';
import { AppPlate } from '../../patterns/app-tile/app-plate.tsx';
import type { Column } from '../../patterns/record-list/model/list-description.ts';
import { SiteName } from '../../patterns/site-name/site-name.tsx';
import { StateBadge, StateDot } from '../../patterns/state-mark/state-mark.tsx';
import { siteProblemsOf } from './health/site-problems.ts';
import classes from './site-columns.module.css';

/** Sites that use SAML are the usual ones. */
const protocols = { saml: '', oidc: 'OpenID Connect' } as const;

type NameCellProps = { network: string; site: SiteRow };

function NameCell({ network, site }: NameCellProps) {
  const { protocol, site_mode, status, icon_bg } = site;
  const problems = siteProblemsOf(site);
  const [first, ...others] = problems;
  const words = problems.map(({ text }) => text);
  return (
    <span className={classes.site}>
      <AppPlate
        small
        app={{
          ...site,
          name: siteTitle(site),
          icon_bg: icon_bg && thumbnailAddress({ network, kind: 'icon', name: icon_bg }),
          icon_width: 0,
        }}
      />
      <SiteName site={site} narrowWords={[...words, site_mode, status, protocols[protocol]]} />
      {protocol === 'oidc' && <span className={classes.protocol}>{protocols[protocol]}</span>}
      {first && (
        <span className={classes.mark} title={words.join(', ')}>
          {first.tone === 'quiet' ? (
            <span className={classes.quiet}>{first.text}</span>
          ) : (
            <StateBadge tone={first.tone}>{first.text}</StateBadge>
          )}
          {others.length > 0 && (
            <>
              <span className={classes.more} aria-hidden="true">
                +{others.length}
              </span>
              <span className="visually-hidden">{others.map(({ text }) => `, ${text}`).join('')}</span>
            </>
          )}
        </span>
      )}
    </span>
  );
}

/** §2.6, the columns in their order. */
export const siteColumns = (network: string): readonly Column<SiteRow>[] => [
  {
    id: 'name',
    header: 'site name',
    cell: (site) => <NameCell network={network} site={site} />,
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
