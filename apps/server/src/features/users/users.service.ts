import { ApiError, type PersonMailKind } from '@opensocial/contract';
import { setPasswordLink } from '@opensocial/contract/mail';
import { eq, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '../../database/connect.ts';
import { assertOwn, type Named } from '../../database/named.ts';
import { memberships, oneTimeTokens, type tokenPurposes, users } from '../../database/schema.ts';
import { consumeQuota } from '../../http/throttle.ts';
import type { QueuedMail } from '../../jobs/jobs.ts';
import type { Parts } from '../../parts.ts';
import { hashToken, newLinkToken, newUid } from '../../secrets/tokens.ts';
import { countMembers } from './users.queries.ts';

export { deleteStaleDeclines, hasDeclinedSince, insertDecline, isDeclined } from './users.declines.queries.ts';
export {
  findAccountByEmail,
  findInvitationForUpdate,
  findMember,
  findMemberByEmail,
  findMembership,
  findOtherNetwork,
  findUser,
  findUserForUpdate,
  type Member,
  mergeInvitation,
  type UserRecord,
  updateMembership,
} from './users.queries.ts';

type User = typeof users.$inferSelect;
type Network = { id: number };
type Person = { email: string; firstname: string; lastname: string };

/** Makes an account a member of a network. Only for people who join by their own decision, or by the operator's. */
export const joinNetwork = async (tx: Transaction, networkId: number, userId: number): Promise<void> => {
  await tx.insert(memberships).values({ network_id: networkId, user_id: userId }).onConflictDoNothing();
};

/**
 * Adds people to a network as invitations, which look the same whether or not the address has an account: the inviting
 * network must not learn that. Returns the new ones, without people who are already invited. The caller must exclude
 * members. Rows are inserted in the order of their addresses, so that two concurrent imports cannot deadlock.
 */
export const insertInvitations = async (
  tx: Transaction,
  networkId: number,
  people: readonly Person[],
): Promise<User[]> => {
  if (people.length === 0) return [];
  const invited = await tx
    .insert(users)
    .values(
      people
        .toSorted((one, other) => (one.email < other.email ? -1 : 1))
        .map(({ email, firstname, lastname }) => ({
          uid: newUid(),
          email,
          firstname,
          lastname,
          provisional: true,
          home_network_id: networkId,
          default_network_id: networkId,
        })),
    )
    .onConflictDoNothing()
    .returning();
  if (invited.length > 0)
    await tx.insert(memberships).values(invited.map(({ id }) => ({ network_id: networkId, user_id: id })));
  return invited;
};

/** How long the link of an invitation works. */
export const invitationHours = 24;

/** Issues a token that lets its holder set the first password, once, within a day, and the link that contains it. */
export const issueActivation = async (
  tx: Queryable,
  publicUrl: string,
  { id, email }: User,
  networkId: number,
  { isCopied = false } = {},
): Promise<{ tokenId: number | undefined; token: string; link: string }> => {
  const request = { userId: id, networkId, purpose: 'activation' as const, hours: invitationHours, isCopied };
  const [issued] = await issueTokens(tx, [request]);
  const token = issued?.token ?? '';
  return { tokenId: issued?.tokenId, token, link: setPasswordLink(publicUrl, { email, token }) };
};

/** Mails per day that owners may cause: to one address, and from a network in total. */
const mailsToRecipient = { limit: 10, minutes: 24 * 60 };
const mailsFromNetwork = { limit: 5_000, minutes: 24 * 60 };

const isWithinMailBudget = async (tx: Transaction, networkId: number, emails: readonly string[]): Promise<boolean> => {
  const recipients = emails.map((email) => `owner-mail:${networkId}:${email}`);
  return (
    (await consumeQuota(tx, [`owner-mail:${networkId}`], { ...mailsFromNetwork, units: emails.length })) &&
    (await consumeQuota(tx, recipients, mailsToRecipient))
  );
};

/**
 * Counts a mail to each address that an owner has caused, and refuses once the daily budget is used up. It runs in the
 * transaction of the change, so that a rollback costs nothing.
 */
export const assertMailBudget = async (
  tx: Transaction,
  networkId: number,
  emails: readonly string[],
): Promise<void> => {
  if (!(await isWithinMailBudget(tx, networkId, emails))) throw new ApiError('mail_limit', { retryAfter: 3_600 });
};

/**
 * Tells a person what an administrator of a network has done. Once the daily budget is used up, the mail is left out: a change such as
 * disabling an account must not fail because of it.
 */
export const notifyMember = async (
  tx: Transaction,
  { jobs }: Pick<Parts, 'jobs'>,
  network: Network,
  email: string,
  notice: Pick<QueuedMail, 'subject' | 'text' | 'html'> & { kind: PersonMailKind },
): Promise<void> => {
  if (!(await isWithinMailBudget(tx, network.id, [email]))) return;
  const { kind, ...message } = notice;
  await jobs.sendMail(tx, { to: email, ...message, record: { kind, networkId: network.id } });
};

/**
 * Queues a job per invitation. The request does the same work for every address, because its duration must not reveal
 * whether the address has an account.
 */
export const sendInvitations = async (
  tx: Transaction,
  { jobs }: Pick<Parts, 'jobs'>,
  invited: readonly User[],
  network: Network,
): Promise<void> => {
  await assertMailBudget(
    tx,
    network.id,
    invited.map(({ email }) => email),
  );
  const record = { kind: 'invitation', networkId: network.id, linkHours: invitationHours } as const;
  const recordIds = await jobs.recordMails(
    tx,
    invited.map(({ email }) => ({ to: email, record })),
  );
  await jobs.sendInvitations(
    tx,
    invited.map(({ id }, place) => ({ userId: id, networkId: network.id, recordId: recordIds[place] })),
  );
};

type TokenRequest = {
  userId: number;
  networkId: number;
  purpose: (typeof tokenPurposes)[number];
  hours: number;
  isCopied?: boolean;
};

/** Issues tokens for links that are mailed to users, or copied by an owner. Each can be used once, within the given hours. */
export const issueTokens = async <Request extends TokenRequest>(
  db: Queryable,
  requests: readonly Request[],
): Promise<(Request & { token: string; tokenId: number | undefined })[]> => {
  if (requests.length === 0) return [];
  const issued = requests.map((request) => ({ ...request, token: newLinkToken() }));
  const rows = await db
    .insert(oneTimeTokens)
    .values(
      issued.map((request) => ({
        token_hash: hashToken(request.token),
        user_id: request.userId,
        network_id: request.networkId,
        purpose: request.purpose,
        is_copied: request.isCopied ?? false,
        // By the clock of the database, which also decides whether it has expired.
        expires_at: sql`now() + make_interval(hours => ${request.hours})`,
      })),
    )
    .returning({ id: oneTimeTokens.id });
  return issued.map((request, place) => ({ ...request, tokenId: rows[place]?.id }));
};

export const findUserByUid = async (db: Queryable, uid: string): Promise<User | undefined> => {
  const [found] = await db.select().from(users).where(eq(users.uid, uid));
  return found;
};

export const assertMembersOf = (db: Queryable, networkId: number, named: Named): Promise<void> =>
  assertOwn(named, (ids) => countMembers(db, networkId, ids));
