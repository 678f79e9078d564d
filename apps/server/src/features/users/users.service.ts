import { and, eq } from 'drizzle-orm';
import type { Queryable, Transaction } from '../../database/connect.ts';
import { assertOwn, type Named } from '../../database/named.ts';
import { memberships, oneTimeTokens, type tokenPurposes, users } from '../../database/schema.ts';
import { invitation, memberInvitation } from '../../mail/messages.ts';
import type { Parts } from '../../parts.ts';
import { hashToken, newToken, newUid } from '../../secrets/tokens.ts';
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

/** Links that let their holders set the first password; each works once, for a day. */
const makeActivationLinks = async (tx: Queryable, publicUrl: string, invited: readonly User[], networkId: number) => {
  const issued = await issueTokens(
    tx,
    invited.map((user) => ({ user, userId: user.id, networkId, purpose: 'activation', hours: 24 })),
  );
  return issued.map(({ user, token }) => ({
    user,
    link: `${publicUrl}/set-password?${new URLSearchParams({ email: user.email, token })}`,
  }));
};

export const makeActivationLink = async (
  tx: Queryable,
  publicUrl: string,
  user: User,
  networkId: number,
): Promise<string> => {
  const [made] = await makeActivationLinks(tx, publicUrl, [user], networkId);
  if (!made) throw new Error('A link that was just made is gone.');
  return made.link;
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

/** Greets new members by mail: whoever has no password yet with a link to set it. */
export const welcome = async (
  tx: Transaction,
  parts: Parts,
  members: readonly User[],
  network: { id: number; name: string },
): Promise<void> => {
  const { publicUrl } = parts.config;
  const isConfirmed = ({ status }: User) => status === 'Confirmed';
  const waiting = members.filter((member) => !isConfirmed(member));
  const invited = await makeActivationLinks(tx, publicUrl, waiting, network.id);
  const desktop = `${publicUrl}/sso-servers/${network.name}`;
  await parts.jobs.sendMail(
    tx,
    ...invited.map(({ user, link }) => ({ to: user.email, ...invitation({ network: network.name, link }) })),
    ...members
      .filter(isConfirmed)
      .map(({ email }) => ({ to: email, ...memberInvitation({ network: network.name, link: desktop }) })),
  );
};

type TokenRequest = { userId: number; networkId: number; purpose: (typeof tokenPurposes)[number]; hours: number };

const issueTokens = async <Request extends TokenRequest>(
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
