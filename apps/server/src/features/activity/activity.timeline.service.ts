import type { PersonMailKind, Timeline, TimelineEntry, TimelineKind } from '@opensocial/contract';
import type { Queryable } from '../../database/connect.ts';
import type { UserRecord } from '../users/users.service.ts';
import {
  findChanges,
  findMails,
  findSignIns,
  type MailRow,
  type Position,
  type Source,
  sources,
  type TimelineQuery,
} from './activity.timeline.queries.ts';

const pageSize = 50;

/** An entry with its position. */
type Placed = { position: Position; entry: TimelineEntry };

type Row = { id: number; at: Date; moment: string };

const place = (source: Source, { id, moment }: Row, entry: TimelineEntry): Placed => ({
  position: { moment, source, id },
  entry,
});

const readSignIns = async (db: Queryable, query: TimelineQuery): Promise<Placed[]> =>
  (await findSignIns(db, query)).map((row) => {
    const { id, login_status, site, is_console } = row;
    // The console is for all networks: how a person signs in there is a fact of the account.
    const is_brief = is_console && !query.isWhole;
    const facts = { reason: row.reason, ip_address: row.ip_address, user_agent: row.user_agent, mfa: row.mfa ?? '' };
    const shown = is_brief ? { reason: '', ip_address: '', user_agent: '', mfa: '' } : facts;
    const at = row.at.toISOString();
    return place('sign_in', row, { kind: 'sign_in', id, at, login_status, site, is_console, is_brief, ...shown });
  });

/**
 * The mails of an invitation, which look the same whether or not the address has an account and whether or not it was declined. Both
 * cases use other templates, so that a failure would tell which of them was sent.
 */
const invitationKinds: ReadonlySet<PersonMailKind> = new Set(['invitation', 'sign_up', 'confirmation']);

const outcomeOf = ({ mail, outcome }: MailRow): MailRow['outcome'] =>
  outcome !== 'stored' && invitationKinds.has(mail) ? 'sent' : outcome;

const readMails = async (db: Queryable, query: TimelineQuery): Promise<Placed[]> =>
  (await findMails(db, query)).map((row) =>
    place('mail', row, {
      kind: 'mail',
      id: row.id,
      at: row.at.toISOString(),
      mail: row.mail,
      outcome: outcomeOf(row),
      link: row.link,
      link_used_at: row.link_used_at?.toISOString() ?? null,
    }),
  );

const readChanges = async (db: Queryable, query: TimelineQuery, security: boolean | undefined): Promise<Placed[]> =>
  (await findChanges(db, { ...query, security })).map((row) =>
    place('change', row, {
      kind: row.is_security ? 'security' : 'change',
      id: row.id,
      at: row.at.toISOString(),
      event: row.event,
      detail: row.detail,
      actor: row.actor,
      is_own: row.actor_id === query.user.id,
    }),
  );

const byPosition = ({ position: one }: Placed, { position: other }: Placed): number => {
  const [earlier, later] = [momentKey(one), momentKey(other)];
  if (earlier !== later) return earlier < later ? 1 : -1;
  return sources.indexOf(one.source) - sources.indexOf(other.source) || other.id - one.id;
};

/** PostgreSQL leaves out trailing zeros of the microseconds. */
const momentKey = ({ moment }: Position): string => {
  const [seconds = '', fraction = ''] = moment.slice(0, -'+00'.length).split('.');
  return `${seconds}.${fraction.padEnd(6, '0')}`;
};

const toCursor = ({ moment, source, id }: Position): string => `${moment}~${source}~${id}`;

const toPosition = (cursor: string): Position => {
  const [moment = '', source, id] = cursor.split('~');
  return { moment, source: sources.find((known) => known === source) ?? 'change', id: Number(id) };
};

type Viewed = { network: { id: number }; user: UserRecord; isWhole: boolean };

/** Merges the sources of a person's timeline. Each is read in the order of its index, from the cursor on. */
export const readTimeline = async (
  db: Queryable,
  { network, user, isWhole }: Viewed,
  { kind, after }: { kind: TimelineKind | undefined; after: string | undefined },
): Promise<Timeline> => {
  const query: TimelineQuery = {
    networkId: network.id,
    user,
    isHome: user.home_network_id === network.id,
    isWhole,
    after: after === undefined ? undefined : toPosition(after),
    size: pageSize + 1,
  };
  const found = await Promise.all([
    kind === undefined || kind === 'sign_in' ? readSignIns(db, query) : [],
    kind === undefined || kind === 'mail' ? readMails(db, query) : [],
    kind === undefined || kind === 'security' || kind === 'change'
      ? readChanges(db, query, kind === undefined ? undefined : kind === 'security')
      : [],
  ]);
  const placed = found.flat().toSorted(byPosition);
  const page = placed.slice(0, pageSize);
  const last = page.at(-1);
  return {
    entries: page.map(({ entry }) => entry),
    next: placed.length > pageSize && last ? toCursor(last.position) : null,
  };
};
