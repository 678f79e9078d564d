import type { PersonMailKind } from '@opensocial/contract';
import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../database/connect.ts';
import { deleteInBatches } from '../database/delete-in-batches.ts';
import { personMails, users } from '../database/schema.ts';

/** What is stored about a mail to a person. Without a network it is about the account, and belongs to the home network. */
export type MailRecord = {
  kind: PersonMailKind;
  networkId?: number | undefined;
  /** How long its link works. */
  linkHours?: number;
  tokenId?: number | undefined;
};

type Recorded = { to: string; record: MailRecord };

const homeOf = (email: string): SQL<number> =>
  sql`(select ${users.home_network_id} from ${users} where ${users.email} = ${email} and not ${users.provisional})`;

/**
 * Stores that mails are sent, in the transaction that queues them, and returns their ids in the same order. Without a mail server they are
 * only stored in a folder.
 */
export const insertMailRecords = async (
  tx: Queryable,
  mails: readonly Recorded[],
  sendsMail: boolean,
): Promise<number[]> => {
  if (mails.length === 0) return [];
  const rows = await tx
    .insert(personMails)
    .values(
      mails.map(({ to, record: { kind, networkId, linkHours, tokenId } }) => ({
        network_id: networkId ?? homeOf(to.toLowerCase()),
        email: to.toLowerCase(),
        kind,
        is_personal: networkId === undefined,
        outcome: sendsMail ? ('queued' as const) : ('stored' as const),
        token_id: tokenId ?? null,
        link_expires_at: linkHours === undefined ? null : sql`now() + make_interval(hours => ${linkHours}::int)`,
      })),
    )
    .returning({ id: personMails.id });
  return rows.map(({ id }) => id);
};

/** The mail server has accepted a mail, or the last attempt has failed. */
export const setMailOutcome = (db: Queryable, id: number, outcome: 'sent' | 'failed') =>
  db
    .update(personMails)
    .set({ outcome })
    .where(and(eq(personMails.id, id), eq(personMails.outcome, 'queued')));

export const setMailToken = (tx: Queryable, id: number, token_id: number | undefined) =>
  tx
    .update(personMails)
    .set({ token_id: token_id ?? null })
    .where(eq(personMails.id, id));

export const markLinkUsed = (tx: Queryable, tokenId: number) =>
  tx.update(personMails).set({ link_used_at: sql`now()` }).where(eq(personMails.token_id, tokenId));

const isOpenLink = and(
  isNull(personMails.link_used_at),
  isNull(personMails.link_ended_at),
  sql`${personMails.link_expires_at} is not null`,
);

/** The links with these tokens do not work any more. */
export const markLinksEnded = async (tx: Queryable, tokenIds: readonly number[]): Promise<void> => {
  if (tokenIds.length === 0) return;
  await tx
    .update(personMails)
    .set({ link_ended_at: sql`now()` })
    .where(and(inArray(personMails.token_id, [...tokenIds]), isOpenLink));
};

const ofInvitation = (networkId: number, email: string) =>
  and(
    eq(personMails.network_id, networkId),
    eq(personMails.email, email),
    inArray(personMails.kind, ['invitation', 'sign_up', 'confirmation']),
    isOpenLink,
  );

/**
 * A new invitation replaces earlier ones. It is decided by the address, not by tokens: the mail to a person who has an account has none, and
 * the network must not see the difference.
 */
export const markInvitationsEnded = (tx: Queryable, networkId: number, email: string) =>
  tx.update(personMails).set({ link_ended_at: sql`now()` }).where(ofInvitation(networkId, email));

/** A person with an account has accepted an invitation on the profile, where a person without one uses the link. */
export const markInvitationAccepted = (tx: Queryable, networkId: number, email: string) =>
  tx
    .update(personMails)
    .set({ link_used_at: sql`now()` })
    .where(
      sql`${personMails.id} = (select max(id) from ${personMails} where ${personMails.network_id} = ${networkId}
        and ${personMails.email} = ${email} and ${personMails.kind} in ('invitation', 'sign_up', 'confirmation'))`,
    );

/** Deletes what is older than this many days; 0 keeps it forever. */
export const deleteStaleMailRecords = async (db: Queryable, days: number): Promise<void> => {
  if (days === 0) return;
  await deleteInBatches(db, personMails, sql`created_at < now() - make_interval(days => ${days}::int)`);
};
