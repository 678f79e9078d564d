import { ApiError } from '@opensocial/contract';
import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '../../database/connect.ts';
import { networks, owners } from '../../database/schema.ts';
import type { Caller } from '../../http/actor.ts';
import { isEffectiveOwner } from '../../identity/membership.ts';
import { notice } from '../../mail/notices.ts';
import type { Parts } from '../../parts.ts';

/**
 * Refuses a change that would leave a network without an effective owner. The networks that the address owns stay locked until the
 * transaction ends, so that of two such changes at the same moment the second one sees what the first left. Called before an
 * ownership, a membership or an account ends.
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
    const effective = await findEffectiveOwners(tx, id);
    if (effective.includes(email) && effective.length === 1) throw new ApiError('last_owner');
  }
};

/** The addresses of the owners of a network whose ownership is in effect. */
export const findEffectiveOwners = async (tx: Transaction, networkId: number): Promise<string[]> => {
  const found = await tx
    .select({ email: owners.email })
    .from(owners)
    .where(and(eq(owners.network_id, networkId), isEffectiveOwner(owners.email, owners.network_id)))
    .orderBy(asc(owners.email));
  return found.map(({ email }) => email);
};

/** Those of some networks that have only one owner whose ownership is in effect. One query: somebody may own thousands of networks. */
export const findNetworksOfOneOwner = async (db: Queryable, networkIds: readonly number[]): Promise<number[]> => {
  const found = await db
    .select({ id: owners.network_id })
    .from(owners)
    .where(and(inArray(owners.network_id, [...networkIds]), isEffectiveOwner(owners.email, owners.network_id)))
    .groupBy(owners.network_id)
    .having(sql`count(*) = 1`);
  return found.map(({ id }) => id);
};

/** Whether an address is listed as an owner: of one network, or of any. */
export const isListedAsOwner = async (tx: Queryable, email: string, networkId?: number): Promise<boolean> =>
  (await tx.$count(
    owners,
    and(eq(owners.email, email), networkId === undefined ? undefined : eq(owners.network_id, networkId)),
  )) > 0;

type Told = { title: string; happened: string; label: string; path: string };

/** Tells owners by mail what one of them has done; not the one who did it. */
export const tellOwners = async (
  tx: Transaction,
  { jobs, config }: Parts,
  { user, network }: Caller,
  told: readonly string[],
  { title, happened, label, path }: Told,
): Promise<void> => {
  const action = { label, href: `${config.publicUrl}/sso-servers/${network.name}/${path}` };
  const mail = notice({ title, happened, by: user.email, action });
  await jobs.sendMail(tx, ...told.filter((email) => email !== user.email).map((to) => ({ to, ...mail })));
};

/** Whoever is removed is told too: a stolen account that removes the others does not do it in silence. */
export const tellOfRemovedOwner = (tx: Transaction, parts: Parts, by: Caller, told: readonly string[], email: string) =>
  tellOwners(tx, parts, by, told, {
    title: `An owner of ${by.network.name} was removed`,
    happened: `${email} is not an owner of ${by.network.name} any more.`,
    label: 'See the owners',
    path: 'admins',
  });
