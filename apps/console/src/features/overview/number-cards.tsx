import { Skeleton } from '@mantine/core';
import type { Overview, SignInStatistics } from '@opensocial/contract';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { toPendingUsers, toSettings } from '../../api/links/panel-links.ts';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { mainNetwork } from '../../api/session/role.ts';
import { clockTime, countOf, formatNumber, formatShare } from '../../patterns/format/format.ts';
import classes from './number-cards.module.css';
import links from './overview-links.module.css';

type NumberCardsProps = { statistics: SignInStatistics | undefined; overview: Overview | undefined };

/** The numbers at the top. */
export function NumberCards({ statistics, overview }: NumberCardsProps) {
  return (
    <div className={classes.cards}>
      <SignInNumbers statistics={statistics} />
      <PeopleNumber overview={overview} />
      <FactorNumber overview={overview} />
    </div>
  );
}

type NumberCardProps = { number: string | undefined; label: string; children?: ReactNode };

/** The number is skipped while it is loaded; the card has its final height. */
function NumberCard({ number, label, children }: NumberCardProps) {
  return (
    <div className={classes.card}>
      <p className={classes.number}>{number ?? <Skeleton height={26} width={90} mt={4} mb={4} />}</p>
      <p className={classes.label}>{label}</p>
      <p className={classes.detail}>{number !== undefined && children}</p>
    </div>
  );
}

function SignInNumbers({ statistics }: Pick<NumberCardsProps, 'statistics'>) {
  const buckets = statistics?.buckets ?? [];
  const succeeded = buckets.reduce((sum, bucket) => sum + bucket.succeeded, 0);
  const failed = buckets.reduce((sum, bucket) => sum + bucket.failed, 0);
  const isMain = useAdminNetwork().name === mainNetwork;
  // The console is a site of the main network, and the lines of its log are counted together.
  const where = isMain ? 'to this console and to sites' : 'to sites';
  const average = buckets.length === 0 ? 0 : Math.round(succeeded / buckets.length);
  return (
    <>
      <NumberCard number={statistics && formatNumber(succeeded)} label={`successful sign-ins ${where}`}>
        About {formatNumber(average)} per {statistics?.unit}
      </NumberCard>
      <NumberCard number={statistics && formatNumber(failed)} label={`failed sign-ins ${where}`}>
        {succeeded + failed === 0
          ? 'None in this period'
          : `${formatShare(failed, succeeded + failed)} of all attempts`}
      </NumberCard>
    </>
  );
}

function PeopleNumber({ overview }: Pick<NumberCardsProps, 'overview'>) {
  const network = useAdminNetwork();
  const pending = overview?.pending ?? 0;
  return (
    <NumberCard
      number={overview && formatNumber(overview.members)}
      label={overview?.members === 1 ? 'person' : 'people'}
    >
      {pending === 0 ? (
        'No invitation is pending'
      ) : (
        <Link className={links.link} to={toPendingUsers(network.name)}>
          {countOf(pending, 'pending invitation', 'pending invitations')}
        </Link>
      )}
    </NumberCard>
  );
}

function FactorNumber({ overview }: Pick<NumberCardsProps, 'overview'>) {
  const network = useAdminNetwork();
  const adoption = overview?.adoption;
  const label = 'with a second factor';
  if (adoption === null)
    return (
      <NumberCard number="–" label={label}>
        Still being counted. Check again in a few minutes.
      </NumberCard>
    );
  if (!adoption || adoption.people === 0)
    return (
      <NumberCard number={adoption ? '–' : undefined} label={label}>
        No account belongs to this network alone
      </NumberCard>
    );
  const { people, with_factor, with_passkey, counted_at } = adoption;
  const counted = `of ${countOf(people, 'account that belongs', 'accounts that belong')} to this network alone, counted at ${clockTime(counted_at)}`;
  return (
    <NumberCard number={formatShare(with_factor, people)} label={label}>
      <span title={counted}>
        Passkeys: {formatNumber(with_passkey)} of {formatNumber(people)}
        <span className="visually-hidden"> ({counted})</span>
      </span>
      {with_factor < people && (
        <>
          <br />
          <Link className={links.link} to={toSettings(network.name)}>
            Change the rule
          </Link>
        </>
      )}
    </NumberCard>
  );
}
