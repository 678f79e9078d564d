import { ApiError } from '@opensocial/contract';
import { asc, eq, sql } from 'drizzle-orm';
import type { Transaction } from '../../database/connect.ts';
import { memberships, networks, owners, users } from '../../database/schema.ts';

/**
 * Holds the networks that an address owns, so that of two changes at the same moment the second sees what the first left.
 * Called before an ownership, a membership or an account ends.
 */
export const assertOwnersRemain = async (tx: Transaction, email: string, networkId?: number): Promise<void> => {
  const owned = await tx
    .select({ id: networks.id })
    .from(networks)
    .innerJoin(owners, eq(owners.network_id, networks.id))
    .where(
      networkId === undefined
        ? eq(owners.email, email)
        : sql`${owners.email} = ${email} and ${networks.id} = ${networkId}`,
    )
    .orderBy(asc(networks.id))
    .for('update', { of: networks });
  for (const { id } of owned) {
    if ((await isEffective(tx, id, email)) && !(await hasOtherOwner(tx, id, email))) throw new ApiError('last_owner');
  }
};

/** Ownership is in effect once the account with the address is confirmed, active and a member. */
const effective = sql`${users.status} = 'Confirmed' and ${users.user_mode} = 'Active' and exists (
  select 1 from ${memberships} where ${memberships.user_id} = ${users.id} and ${memberships.network_id} = ${owners.network_id})`;

const isEffective = (tx: Transaction, networkId: number, email: string) =>
  exists(tx, sql`${owners.network_id} = ${networkId} and ${owners.email} = ${email}`);

const hasOtherOwner = (tx: Transaction, networkId: number, email: string) =>
  exists(tx, sql`${owners.network_id} = ${networkId} and ${owners.email} <> ${email}`);

const exists = async (tx: Transaction, which: ReturnType<typeof sql>): Promise<boolean> => {
  const found = await tx
    .select({ id: owners.id })
    .from(owners)
    .innerJoin(users, eq(users.email, owners.email))
    .where(sql`${which} and ${effective}`)
    .limit(1);
  return found.length > 0;
};
