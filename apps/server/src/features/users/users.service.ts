import { ApiError } from '@opensocial/contract';
import { and, eq, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '../../database/connect.ts';
import { memberships, oneTimeTokens, type tokenPurposes, users } from '../../database/schema.ts';
import { invitation } from '../../mail/messages.ts';
import type { Parts } from '../../parts.ts';
import { hashToken, newToken, newUid } from '../../secrets/tokens.ts';
import { isMember } from './users.queries.ts';

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

/** A link that lets its holder set the first password; it works once, for a day. */
export const makeActivationLink = async (
  tx: Queryable,
  publicUrl: string,
  user: User,
  networkId: number,
): Promise<string> => {
  const token = await issueToken(tx, { userId: user.id, networkId, purpose: 'activation', hours: 24 });
  return `${publicUrl}/set-password?${new URLSearchParams({ email: user.email, token })}`;
};

/** Asks an unconfirmed account by mail to set its password. */
export const invite = async (
  tx: Transaction,
  parts: Parts,
  user: User,
  network: { id: number; name: string },
): Promise<string> => {
  const link = await makeActivationLink(tx, parts.config.publicUrl, user, network.id);
  await parts.jobs.sendMail(tx, { to: user.email, ...invitation({ network: network.name, link }) });
  return link;
};

type TokenRequest = { userId: number; networkId: number; purpose: (typeof tokenPurposes)[number]; hours: number };

const issueToken = async (db: Queryable, request: TokenRequest): Promise<string> => {
  const token = newToken();
  await db.insert(oneTimeTokens).values({
    token_hash: hashToken(token),
    user_id: request.userId,
    network_id: request.networkId,
    purpose: request.purpose,
    expires_at: new Date(Date.now() + request.hours * 3_600_000),
  });
  return token;
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

/** Users that are named in a body are members; one who is not answers as if they did not exist. */
export const assertMembersOf = async (
  db: Queryable,
  networkId: number,
  named: readonly { id: number }[] = [],
): Promise<void> => {
  const ids = [...new Set(named.map(({ id }) => id))];
  const found = and(eq(memberships.network_id, networkId), sql`${memberships.user_id} = any(${sql.param(ids)})`);
  if (ids.length > 0 && (await db.$count(memberships, found)) !== ids.length) throw new ApiError('not_found');
};
