import { and, asc, eq, sql } from 'drizzle-orm';
import { nested, type Queryable } from '../../database/connect.ts';
import { isOwnerOfNetwork } from '../../database/membership.ts';
import { groupUsers, memberships, networks, owners, users } from '../../database/schema.ts';

type Person = { id: number; email: string };

/** The networks that an account may use. */
export const findOwnNetworks = (db: Queryable, { id }: Person) =>
  db
    .select({
      server: networks.name,
      isOwner: nested<boolean>(isOwnerOfNetwork(id, networks.id)),
      isHome: nested<boolean>(
        sql`exists (select 1 from ${users} where ${users.id} = ${id} and ${users.home_network_id} = ${networks.id})`,
      ),
      joined: memberships.created_at,
    })
    .from(memberships)
    .innerJoin(networks, eq(networks.id, memberships.network_id))
    .where(and(eq(memberships.user_id, id), eq(memberships.status, 'Confirmed'), eq(memberships.user_mode, 'Active')))
    .orderBy(asc(networks.name));

const isOwnership = (email: string) =>
  nested<boolean>(
    sql`exists (select 1 from ${owners} where ${owners.network_id} = ${networks.id} and ${owners.email} = ${email})`,
  );

/** What waits for somebody's answer: invitations to their address, and memberships that an owner wants them to confirm again. */
export const findInvitations = async (db: Queryable, { id, email }: Person) => {
  const invited = await db
    .select({ server: networks.name, isOwner: isOwnership(email), invited: users.created_at })
    .from(users)
    .innerJoin(networks, eq(networks.id, users.home_network_id))
    .where(and(eq(users.email, email), eq(users.provisional, true), eq(users.user_mode, 'Active')));
  const asked = await db
    .select({ server: networks.name, isOwner: isOwnership(email), invited: memberships.created_at })
    .from(memberships)
    .innerJoin(networks, eq(networks.id, memberships.network_id))
    .where(
      and(eq(memberships.user_id, id), eq(memberships.status, 'NonConfirmed'), eq(memberships.user_mode, 'Active')),
    );
  return [...invited, ...asked].toSorted((one, other) => (one.server < other.server ? -1 : 1));
};

export const findNetworkNamed = async (db: Queryable, name: string) => {
  const [found] = await db.select().from(networks).where(eq(networks.name, name));
  return found;
};

/** The invitation of an address to a network, locked until the transaction ends. */
export const lockInvitation = async (tx: Queryable, networkId: number, email: string) => {
  const [found] = await tx
    .select()
    .from(users)
    .where(
      and(
        eq(users.email, email),
        eq(users.home_network_id, networkId),
        eq(users.provisional, true),
        eq(users.user_mode, 'Active'),
      ),
    )
    .for('update');
  return found;
};

/** Gives what an invitation holds to the account that accepts it: the membership and the groups. The invitation is gone then. */
export const mergeInvitation = async (
  tx: Queryable,
  networkId: number,
  invitationId: number,
  userId: number,
): Promise<void> => {
  await tx.insert(memberships).values({ network_id: networkId, user_id: userId }).onConflictDoNothing();
  await tx.execute(sql`insert into ${groupUsers} (group_id, user_id)
    select group_id, ${userId} from ${groupUsers} where user_id = ${invitationId} order by 1 on conflict do nothing`);
  await tx.delete(users).where(eq(users.id, invitationId));
};

export const deleteOwnership = (tx: Queryable, networkId: number, email: string) =>
  tx.delete(owners).where(and(eq(owners.network_id, networkId), eq(owners.email, email)));
