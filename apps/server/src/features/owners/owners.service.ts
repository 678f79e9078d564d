import { ApiError } from '@opensocial/contract';
import { and, asc, eq, sql } from 'drizzle-orm';
import type { Transaction } from '../../database/connect.ts';
import { memberships, networks, owners, users } from '../../database/schema.ts';
import type { By } from '../../http/actor.ts';
import { notice } from '../../mail/notices.ts';
import type { Parts } from '../../parts.ts';

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

export const findEffectiveOwners = async (tx: Transaction, networkId: number): Promise<string[]> => {
  const found = await tx
    .select({ email: owners.email })
    .from(owners)
    .innerJoin(users, eq(users.email, owners.email))
    .where(and(eq(owners.network_id, networkId), effective))
    .orderBy(asc(owners.email));
  return found.map(({ email }) => email);
};

type Told = { title: string; happened: string; label: string; path: string };

/** Tells owners by mail what one of them has done; not the one who did it. */
export const tellOwners = async (
  tx: Transaction,
  { jobs, config }: Parts,
  { user, network }: By,
  told: readonly string[],
  { title, happened, label, path }: Told,
): Promise<void> => {
  const action = { label, href: `${config.publicUrl}/sso-servers/${network.name}/${path}` };
  const mail = notice({ title, happened, by: user.email, action });
  await jobs.sendMail(tx, ...told.filter((email) => email !== user.email).map((to) => ({ to, ...mail })));
};

/** Whoever is removed is told too: a stolen account that removes the others does not do it in silence. */
export const tellOfRemovedOwner = (tx: Transaction, parts: Parts, by: By, told: readonly string[], email: string) =>
  tellOwners(tx, parts, by, told, {
    title: `An owner of ${by.network.name} was removed`,
    happened: `${email} is not an owner of ${by.network.name} any more.`,
    label: 'See the owners',
    path: 'admins',
  });
