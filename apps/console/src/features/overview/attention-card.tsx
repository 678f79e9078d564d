import { Skeleton } from '@mantine/core';
import { type Overview, siteTitle } from '@opensocial/contract';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { toSettings, toSiteSso, toUserDetails, toUsers } from '../../api/links/panel-links.ts';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { clockTime, countOf, formatDate } from '../../patterns/format/format.ts';
import { StateBadge } from '../../patterns/state-mark/state-mark.tsx';
import { daysUntil } from '../../patterns/time/days-left.ts';
import { OverviewCard } from './overview-card.tsx';
import classes from './overview-rows.module.css';

type AttentionCardProps = { overview: Overview | undefined };

/** Everything that somebody should look at: certificates, accounts that will be locked or disabled, and mail that is not delivered. */
export function AttentionCard({ overview }: AttentionCardProps) {
  return (
    <OverviewCard title="Needs attention">
      {!overview ? (
        <Skeleton height={220} />
      ) : hasNothing(overview) ? (
        <p className={classes.empty}>Nothing at the moment.</p>
      ) : (
        <ul className={classes.rows}>
          <Certificates certificates={overview.certificates} />
          <AttackedAccounts accounts={overview.attacked} />
          {overview.unused && <UnusedAccounts unused={overview.unused} />}
          <Mail mail={overview.mail} />
        </ul>
      )}
    </OverviewCard>
  );
}

const hasNothing = ({ certificates, attacked, unused, mail }: Overview): boolean =>
  certificates.total === 0 &&
  attacked.length === 0 &&
  (unused?.total ?? 0) === 0 &&
  mail.delivery === 'smtp' &&
  (mail.queue === null || mail.queue.waiting + mail.queue.given_up === 0);

type ItemProps = { tone: 'warn' | 'bad' | 'quiet'; badge: string; children: ReactNode };

function Item({ tone, badge, children }: ItemProps) {
  return (
    <li className={classes.item}>
      <StateBadge tone={tone}>{badge}</StateBadge>
      <span>{children}</span>
    </li>
  );
}

const uses = {
  identity_provider: 'signing key of this network',
  signing: 'certificate',
  encryption: 'certificate for encryption',
} as const;

function Certificates({ certificates: { total, ending } }: Pick<Overview, 'certificates'>) {
  const network = useAdminNetwork();
  const more = total - ending.length;
  return (
    <>
      {ending.map(({ site, use, not_after }) => {
        const days = daysUntil(not_after);
        const verb = days <= 0 ? 'expired' : 'expires';
        return (
          <Item
            key={`${site?.id ?? 'key'} ${use} ${not_after}`}
            tone={days <= 7 ? 'bad' : 'warn'}
            badge={days <= 0 ? 'expired' : countOf(days, 'day', 'days')}
          >
            {site ? (
              <>
                <Link className={classes.name} to={toSiteSso(network.name, site)}>
                  {siteTitle(site)}
                </Link>
                : its {uses[use]} {verb} on {formatDate(not_after)}
              </>
            ) : (
              <>
                <Link className={classes.name} to={toSettings(network.name)}>
                  Server Settings
                </Link>
                : a {uses[use]} {verb} on {formatDate(not_after)}
              </>
            )}
          </Item>
        );
      })}
      {more > 0 && (
        <Item tone="quiet" badge={`${more} more`}>
          {more === 1 ? 'Another certificate expires' : 'Other certificates expire'} within 60 days
        </Item>
      )}
    </>
  );
}

function AttackedAccounts({ accounts }: { accounts: Overview['attacked'] }) {
  const network = useAdminNetwork();
  return accounts.map(({ id, fullname, email, failures, limit, locked_until }) => (
    <Item key={id} tone={locked_until ? 'bad' : 'warn'} badge={locked_until ? 'locked' : 'almost locked'}>
      <Link className={classes.name} to={toUserDetails(network.name, id)}>
        {fullname || email}
      </Link>
      {locked_until
        ? `: locked until ${clockTime(locked_until)} after ${countOf(failures, 'wrong password', 'wrong passwords')}`
        : `: ${countOf(failures, 'wrong password', 'wrong passwords')}, locked after ${limit}`}
    </Item>
  ));
}

function UnusedAccounts({ unused: { days, total, accounts } }: { unused: NonNullable<Overview['unused']> }) {
  const network = useAdminNetwork();
  if (total === 0) return null;
  const named = accounts.slice(0, 3);
  return (
    <Item tone="quiet" badge={countOf(total, 'person', 'people')}>
      will be disabled within {days === 1 ? 'a day' : `${days} days`}, because{' '}
      {total === 1 ? 'the account is' : 'their accounts are'} not used
      {named.length > 0 && ': '}
      {named.map(({ id, fullname, email, disabled_at }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link className={classes.name} to={toUserDetails(network.name, id)}>
            {fullname || email}
          </Link>{' '}
          on {formatDate(disabled_at)}
        </span>
      ))}
    </Item>
  );
}

function Mail({ mail: { delivery, queue } }: Pick<Overview, 'mail'>) {
  const network = useAdminNetwork();
  return (
    <>
      {queue && queue.waiting > 0 && (
        <Item tone={queue.retried > 0 ? 'warn' : 'quiet'} badge={countOf(queue.waiting, 'email', 'emails')}>
          waiting to be sent{queue.oldest_at && `, the first since ${clockTime(queue.oldest_at)}`}
          {queue.retried > 0 &&
            `. ${countOf(queue.retried, 'delivery has', 'deliveries have')} failed and will be tried again`}
        </Item>
      )}
      {queue && queue.given_up > 0 && (
        <Item tone="bad" badge={countOf(queue.given_up, 'email', 'emails')}>
          could not be delivered and will not be tried again. The log of the server says why.
        </Item>
      )}
      {delivery === 'outbox' && (
        <Item tone="warn" badge="no email">
          This server does not send email, so people get no invitations and codes.{' '}
          <Link className={classes.name} to={toUsers(network.name)}>
            Copy invitation links
          </Link>{' '}
          in each person’s panel.
        </Item>
      )}
    </>
  );
}
