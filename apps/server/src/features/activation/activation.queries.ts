import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '../../database/connect.ts';
import { networkSettings, networks, oneTimeTokens, users } from '../../database/schema.ts';
import { hashToken } from '../../secrets/tokens.ts';

/** An account waits for its password until it has one, also when an administrator has confirmed its address. */
const waits = sql`(${users.status} = 'NonConfirmed' or ${users.password_hash} is null)`;

/** A new password is for an account that has one and may sign in. */
const mayReset = sql`(${users.status} = 'Confirmed' and ${users.user_mode} = 'Active')`;

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

/** Uses a token up; of two at the same moment, one. */
export const useToken = async (tx: Transaction, tokenId: number): Promise<boolean> => {
  const { rowCount } = await tx
    .update(oneTimeTokens)
    .set({ used_at: sql`now()` })
    .where(and(eq(oneTimeTokens.id, tokenId), isNull(oneTimeTokens.used_at), gt(oneTimeTokens.expires_at, sql`now()`)));
  return rowCount === 1;
};

/** Confirms an account that still waits for it; of two tokens at the same moment, one does. */
export const confirmUser = async (tx: Transaction, userId: number): Promise<boolean> => {
  const { rowCount } = await tx
    .update(users)
    .set({ status: 'Confirmed' })
    .where(and(eq(users.id, userId), waits));
  return rowCount === 1;
};
