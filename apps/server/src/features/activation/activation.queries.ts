import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '../../database/connect.ts';
import { activationProofs, networkSettings, networks, oneTimeTokens, users } from '../../database/schema.ts';
import { hashToken } from '../../secrets/tokens.ts';

/**
 * Whether an activation link can be used: for an account that has to be confirmed again, or for an invitation to a
 * person without an account. People with an account accept invitations on their profile instead, because a link to set
 * a first password must not replace their password. An invitation that its network has disabled creates no account:
 * that account would be disabled in every network.
 */
const isActivatable = sql`case when ${users.provisional}
  then ${users.user_mode} = 'Active' and not exists (select 1 from users account where account.email = ${users.email} and not account.provisional)
  else ${users.status} = 'NonConfirmed' end`;

/** A password can be reset only on a confirmed and active account. */
const mayReset = sql`(not ${users.provisional} and ${users.status} = 'Confirmed' and ${users.user_mode} = 'Active')`;

/**
 * Finds a token with the address it was sent to, valid or not. The rules of the home network apply, regardless of the
 * network that sent the link.
 */
export const findActivation = async (db: Queryable, email: string, code: string) => {
  const [found] = await db
    .select({
      tokenId: oneTimeTokens.id,
      purpose: oneTimeTokens.purpose,
      isCopied: oneTimeTokens.is_copied,
      user: { id: users.id, email: users.email },
      network: networks.name,
      settings: networkSettings,
      isGood: sql<boolean>`${oneTimeTokens.used_at} is null and ${oneTimeTokens.expires_at} > now()
        and case ${oneTimeTokens.purpose} when 'reset' then ${mayReset}
          else ${isActivatable} and (${users.provisional} or not ${oneTimeTokens.is_copied}) end`,
    })
    .from(oneTimeTokens)
    .innerJoin(users, eq(users.id, oneTimeTokens.user_id))
    .innerJoin(networks, eq(networks.id, users.home_network_id))
    .innerJoin(networkSettings, eq(networkSettings.network_id, networks.id))
    .where(and(eq(oneTimeTokens.token_hash, hashToken(code)), eq(users.email, email)));
  return found;
};

/** Locks the account before its token, in the same order as the deletion of an account, to avoid deadlocks. */
export const lockTokenOwner = (tx: Transaction, userId: number) =>
  tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');

/** Consumes a token. Of two concurrent requests, only one gets true. */
export const consumeToken = async (tx: Transaction, tokenId: number): Promise<boolean> => {
  const { rowCount } = await tx
    .update(oneTimeTokens)
    .set({ used_at: sql`now()` })
    .where(and(eq(oneTimeTokens.id, tokenId), isNull(oneTimeTokens.used_at), gt(oneTimeTokens.expires_at, sql`now()`)));
  return rowCount === 1;
};

/**
 * Confirms an account, or turns an invitation into an account; the network that sent the invitation becomes the home
 * network. Of two concurrent links, in one network or in two, only one succeeds, because there is one account per
 * address. A copied link works only for an invitation: its owner must not take over an account that somebody already uses.
 */
export const confirmUser = async (tx: Transaction, userId: number, isCopied: boolean): Promise<boolean> => {
  const { rowCount } = await tx
    .update(users)
    .set({ status: 'Confirmed', provisional: false, ...(isCopied && { address_unproven: true }) })
    .where(and(eq(users.id, userId), isActivatable, isCopied ? users.provisional : undefined));
  return rowCount === 1;
};

/** A later activation replaces the proof of an earlier one, in another browser too. */
export const upsertActivationProof = (tx: Transaction, userId: number, proof: { token: string; minutes: number }) => {
  const row = { token_hash: hashToken(proof.token), expires_at: sql`now() + make_interval(mins => ${proof.minutes})` };
  return tx
    .insert(activationProofs)
    .values({ user_id: userId, ...row })
    .onConflictDoUpdate({ target: activationProofs.user_id, set: row });
};

export const isActivationProof = async (db: Queryable, userId: number, token: string): Promise<boolean> => {
  const { user_id, token_hash, expires_at } = activationProofs;
  const isValid = and(eq(user_id, userId), eq(token_hash, hashToken(token)), gt(expires_at, sql`now()`));
  return (await db.$count(activationProofs, isValid)) === 1;
};
