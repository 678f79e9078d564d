import { Skeleton } from '@mantine/core';
import type { User, UserSecurity } from '@opensocial/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { useAdminNetwork } from '../../../api/session/admin-network.ts';
import form from '../../../patterns/form/form.module.css';
import { FormWarning } from '../../../patterns/form/form-warning.tsx';
import { shortTime } from '../../../patterns/format/format.ts';
import { StateBadge } from '../../../patterns/state-mark/state-mark.tsx';
import { toUserTab } from '../users.links.ts';
import { accountState, factorsText, groupsText, sessionsText, sitesText } from './account-state.ts';
import { userSecurityQuery } from './help-desk.api.ts';
import classes from './help-desk.module.css';
import { UserActions } from './user-actions.tsx';

type UserSummaryProps = { user: User };

/** §2.8, at the top of User Details: what a help desk has to know about a person, and what it can do. */
export function UserSummary({ user }: UserSummaryProps) {
  const network = useAdminNetwork();
  const security = useQuery(userSecurityQuery(network, user.id));
  if (security.isLoadingError)
    return (
      <p role="alert" className={form.hint}>
        The state of the account could not be loaded.
      </p>
    );
  if (!security.data) return <Skeleton height={214} radius="md" />;
  return (
    <section className={classes.card} aria-label="At a glance">
      <SummaryFacts user={user} security={security.data} network={network.name} />
      {security.data.address_unproven && (
        <p className={form.hint}>
          The account was activated by a copied link, so the address is not confirmed. It cannot join other networks
          until the person has set a password with an emailed link.
        </p>
      )}
      {!security.data.sends_mail && (
        <FormWarning>
          No mail server is set up, so no email reaches this person, and links cannot be emailed.
        </FormWarning>
      )}
      <UserActions user={user} security={security.data} />
    </section>
  );
}

type SummaryFactsProps = { user: User; security: UserSecurity; network: string };

function SummaryFacts({ user, security, network }: SummaryFactsProps) {
  const { search } = useLocation();
  const { name, tone, meaning } = accountState(user, security, network);
  const tab = (to: string, text: string) => (
    <Link to={{ pathname: toUserTab(network, user.id, to), search }}>{text}</Link>
  );
  return (
    <dl className={classes.facts}>
      <SummaryFact label="Account" wide>
        <StateBadge tone={tone}>{name}</StateBadge> <span className={classes.meaning}>{meaning}</span>
      </SummaryFact>
      {!user.invited && (
        <>
          <SummaryFact label={security.everywhere ? 'Last sign-in' : `Last sign-in to ${network}`}>
            {user.last_login ? <time dateTime={user.last_login}>{shortTime(user.last_login)}</time> : 'Never'}
          </SummaryFact>
          <SummaryFact label="Sessions">{sessionsText(security, network)}</SummaryFact>
        </>
      )}
      <SummaryFact label="Access">
        {tab('groups', groupsText(user))} · {tab('sites', sitesText(security))}
      </SummaryFact>
      <SummaryFact label="Home network">
        {user.invited ? 'None until the invitation is accepted' : user.signup_server}
      </SummaryFact>
      {!user.invited && (
        <SummaryFact label="Second factors" wide>
          {factorsText(security)}
        </SummaryFact>
      )}
    </dl>
  );
}

type SummaryFactProps = { label: string; wide?: boolean; children: ReactNode };

function SummaryFact({ label, wide = false, children }: SummaryFactProps) {
  return (
    <div data-wide={wide || undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
