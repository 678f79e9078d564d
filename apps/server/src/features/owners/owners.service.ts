import { ApiError } from '@opensocial/contract';
import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { nested, type Queryable, type Transaction } from '../../database/connect.ts';
import { networks, owners } from '../../database/schema.ts';
import type { Caller } from '../../http/actor.ts';
import { nameOfActor } from '../../identity/actor.ts';
import { isEffectiveOwner } from '../../identity/membership.ts';
import { ownerNotice } from '../../mail/notices.ts';
import type { Parts } from '../../parts.ts';

/**
 * Refuses a change that would leave a network without an effective owner. It is called before an ownership, a membership or an account
 * ends. The rows of the networks stay locked until the transaction ends, so that concurrent changes are checked one after the other.
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

/**
 * Returns the given networks that have exactly one effective owner. It is one query, because a person may own thousands
 * of networks.
 */
export const findNetworksOfOneOwner = async (db: Queryable, networkIds: readonly number[]): Promise<number[]> => {
  const found = await db
    .select({ id: owners.network_id })
    .from(owners)
    .where(and(inArray(owners.network_id, [...networkIds]), isEffectiveOwner(owners.email, owners.network_id)))
    .groupBy(owners.network_id)
    .having(sql`count(*) = 1`);
  return found.map(({ id }) => id);
};

export type Ownership = { networkId: number; network: string; isEffective: boolean };

/** The networks that an address is listed as an owner of. */
export const findOwnerships = (db: Queryable, email: string): Promise<Ownership[]> =>
  db
    .select({
      networkId: networks.id,
      network: networks.name,
      isEffective: nested<boolean>(isEffectiveOwner(owners.email, owners.network_id)),
    })
    .from(owners)
    .innerJoin(networks, eq(networks.id, owners.network_id))
    .where(eq(owners.email, email))
    .orderBy(asc(networks.name));

/** Whether an address is listed as an owner: of one network, or of any. */
export const isListedAsOwner = async (tx: Queryable, email: string, networkId?: number): Promise<boolean> =>
  (await tx.$count(
    owners,
    and(eq(owners.email, email), networkId === undefined ? undefined : eq(owners.network_id, networkId)),
  )) > 0;

type OwnerNotice = { title: string; event: string; label: string; path: string };

/** Notifies owners by mail of a change, except the owner who made it. */
export const notifyOwners = async (
  tx: Transaction,
  { jobs, config }: Parts,
  { actor, network }: Caller,
  recipients: readonly string[],
  { title, event, label, path }: OwnerNotice,
): Promise<void> => {
  const action = { label, href: `${config.publicUrl}/sso-servers/${network.name}/${path}` };
  const by = nameOfActor(actor);
  const mail = ownerNotice({ title, event, by, action });
  await jobs.sendMail(tx, ...recipients.filter((email) => email !== by).map((to) => ({ to, ...mail })));
};

/** The removed owner is notified too, so that the owners notice if a stolen account removes them. */
export const notifyOfRemovedOwner = (
  tx: Transaction,
  parts: Parts,
  caller: Caller,
  recipients: readonly string[],
  email: string,
) =>
  notifyOwners(tx, parts, caller, recipients, {
    title: `An owner of ${caller.network.name} was removed`,
    event: `${email} is no longer an owner of ${caller.network.name}.`,
    label: 'See the owners',
    path: 'admins',
  });
