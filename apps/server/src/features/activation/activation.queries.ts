import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '../../database/connect.ts';
import { networkSettings, networks, oneTimeTokens, users } from '../../database/schema.ts';
import { hashToken } from '../../secrets/tokens.ts';

/**
 * What an activation link is for: an account that has to be confirmed again, or an invitation to somebody who has no account. Who has
 * one accepts invitations on their profile: a link to set a first password must not replace the password of that account. An invitation
 * that its network has disabled makes no account: it would be a disabled one, and keep the person out of every other network too.
 */
const waits = sql`case when ${users.provisional}
  then ${users.user_mode} = 'Active' and not exists (select 1 from users account where account.email = ${users.email} and not account.provisional)
  else ${users.status} = 'NonConfirmed' end`;

/** A new password is for an account that has one and may sign in. */
const mayReset = sql`(not ${users.provisional} and ${users.status} = 'Confirmed' and ${users.user_mode} = 'Active')`;

/** A token with the address it was sent to, whether or not it is still good. The home network's rules count, whoever has sent it. */
export const findActivation = async (db: Queryable, email: string, code: string) => {
  const [found] = await db
    .select({
      tokenId: oneTimeTokens.id,
      purpose: oneTimeTokens.purpose,
      user: { id: users.id, email: users.email },
      network: networks.name,
      settings: networkSettings,
      isGood: sql<boolean>`${oneTimeTokens.used_at} is null and ${oneTimeTokens.expires_at} > now()
        and case ${oneTimeTokens.purpose} when 'reset' then ${mayReset} else ${waits} end`,
    })
    .from(oneTimeTokens)
    .innerJoin(users, eq(users.id, oneTimeTokens.user_id))
    .innerJoin(networks, eq(networks.id, users.home_network_id))
    .innerJoin(networkSettings, eq(networkSettings.network_id, networks.id))
    .where(and(eq(oneTimeTokens.token_hash, hashToken(code)), eq(users.email, email)));
  return found;
};

/** Locks the account before its token: whatever removes an account locks them in this order too, and the other one could deadlock. */
export const lockHolder = (tx: Transaction, userId: number) =>
  tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');

/** Uses a token up; of two at the same moment, one. */
export const useToken = async (tx: Transaction, tokenId: number): Promise<boolean> => {
  const { rowCount } = await tx
    .update(oneTimeTokens)
    .set({ used_at: sql`now()` })
    .where(and(eq(oneTimeTokens.id, tokenId), isNull(oneTimeTokens.used_at), gt(oneTimeTokens.expires_at, sql`now()`)));
  return rowCount === 1;
};

/**
 * Confirms an account, or turns an invitation into one: the network that sent it is the home network. Of two links at the same moment,
 * in one network or in two, one does: there is one account for an address.
 */
export const confirmUser = async (tx: Transaction, userId: number): Promise<boolean> => {
  const { rowCount } = await tx
    .update(users)
    .set({ status: 'Confirmed', provisional: false })
    .where(and(eq(users.id, userId), waits));
  return rowCount === 1;
};
