import { and, eq } from 'drizzle-orm';
import type { Queryable, Transaction } from '../../database/connect.ts';
import { assertOwn, type Named } from '../../database/named.ts';
import { memberships, oneTimeTokens, type tokenPurposes, users } from '../../database/schema.ts';
import type { Parts } from '../../parts.ts';
import { hashToken, newToken, newUid } from '../../secrets/tokens.ts';
import { renderNetworkMails } from '../templates/templates.service.ts';
import { countMembers, isMember } from './users.queries.ts';

type User = typeof users.$inferSelect;

/** The account with an address, made if there is none, as a member of the network; and whether it was none before. */
export const joinNetwork = async (
  tx: Transaction,
  networkId: number,
  email: string,
): Promise<{ user: User; isNew: boolean }> => {
  await tx
    .insert(users)
    .values({ uid: newUid(), email, home_network_id: networkId, default_network_id: networkId })
    .onConflictDoNothing({ target: users.email });
  const [user] = await tx.select().from(users).where(eq(users.email, email));
  if (!user) throw new Error('An account that was just made is gone.');
  const { rowCount } = await tx
    .insert(memberships)
    .values({ network_id: networkId, user_id: user.id })
    .onConflictDoNothing();
  return { user, isNew: rowCount === 1 };
};

export const ensureMember = async (tx: Transaction, networkId: number, email: string): Promise<User> =>
  (await joinNetwork(tx, networkId, email)).user;

/** What lets its holder set the first password; each works once, for a day. */
const issueActivations = (tx: Queryable, invited: readonly User[], networkId: number) =>
  issueTokens(
    tx,
    invited.map((user) => ({ user, userId: user.id, networkId, purpose: 'activation', hours: 24 })),
  );

export const makeActivationLink = async (
  tx: Queryable,
  publicUrl: string,
  user: User,
  networkId: number,
): Promise<string> => {
  const [issued] = await issueActivations(tx, [user], networkId);
  return toLink(publicUrl, user, issued?.token ?? '');
};

const toLink = (publicUrl: string, { email }: User, token: string): string =>
  `${publicUrl}/set-password?${new URLSearchParams({ email, token })}`;

/** Asks unconfirmed accounts by mail to set their passwords. Answers their links. */
export const invite = async (
  tx: Transaction,
  parts: Parts,
  invited: readonly User[],
  network: { id: number; name: string },
): Promise<string[]> => {
  const issued = await issueActivations(tx, invited, network.id);
  const recipients = issued.map(({ user, token }) => ({ ...toRecipient(user), token }));
  await parts.jobs.sendMail(tx, ...(await renderNetworkMails(tx, parts, network, 'invitation', recipients)));
  return issued.map(({ user, token }) => toLink(parts.config.publicUrl, user, token));
};

const toRecipient = ({ fullname, email }: User) => ({ user_name: fullname, email });

/** Greets new members by mail: whoever has no password yet with a link to set it. */
export const welcome = async (
  tx: Transaction,
  parts: Parts,
  members: readonly User[],
  network: { id: number; name: string },
): Promise<void> => {
  const isConfirmed = ({ status }: User) => status === 'Confirmed';
  await invite(
    tx,
    parts,
    members.filter((member) => !isConfirmed(member)),
    network,
  );
  const known = members.filter(isConfirmed).map(toRecipient);
  await parts.jobs.sendMail(tx, ...(await renderNetworkMails(tx, parts, network, 'ex_user_invitation', known)));
};

type TokenRequest = { userId: number; networkId: number; purpose: (typeof tokenPurposes)[number]; hours: number };

/** What is mailed to a user to act on, once, for so many hours. */
export const issueTokens = async <Request extends TokenRequest>(
  db: Queryable,
  requests: readonly Request[],
): Promise<(Request & { token: string })[]> => {
  if (requests.length === 0) return [];
  const issued = requests.map((request) => ({ ...request, token: newToken() }));
  await db.insert(oneTimeTokens).values(
    issued.map((request) => ({
      token_hash: hashToken(request.token),
      user_id: request.userId,
      network_id: request.networkId,
      purpose: request.purpose,
      expires_at: new Date(Date.now() + request.hours * 3_600_000),
    })),
  );
  return issued;
};

export const findUserByUid = async (db: Queryable, uid: string): Promise<User | undefined> => {
  const [found] = await db.select().from(users).where(eq(users.uid, uid));
  return found;
};

export const findMemberByEmail = async (db: Queryable, networkId: number, email: string): Promise<User | undefined> => {
  const [found] = await db
    .select()
    .from(users)
    .where(and(eq(users.email, email.toLowerCase()), isMember(networkId)));
  return found;
};

export const assertMembersOf = (db: Queryable, networkId: number, named: Named): Promise<void> =>
  assertOwn(named, (ids) => countMembers(db, networkId, ids));
