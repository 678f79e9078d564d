import { and, asc, eq, not, sql } from 'drizzle-orm';
import { nested, type Queryable } from '../../database/connect.ts';
import { memberships, networks, owners, users } from '../../database/schema.ts';
import { isOwnerOfNetwork } from '../../identity/membership.ts';
import { isDeclined } from '../users/users.service.ts';

type Person = { id: number; email: string };

/** The networks that an account may use. */
export const findOwnNetworks = (db: Queryable, { id }: Person) =>
  db
    .select({
      id: networks.id,
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

/**
 * Invitations that wait for an answer: invitations to the person's address, except from networks that they have
 * declined lately, and memberships that an owner wants them to confirm again.
 */
export const findInvitations = async (db: Queryable, { id, email }: Person) => {
  const invited = await db
    .select({ server: networks.name, isOwner: isOwnership(email), invited: users.created_at })
    .from(users)
    .innerJoin(networks, eq(networks.id, users.home_network_id))
    .where(
      and(
        eq(users.email, email),
        eq(users.provisional, true),
        eq(users.user_mode, 'Active'),
        not(isDeclined(users.home_network_id, email)),
      ),
    );
  const unconfirmed = await db
    .select({ server: networks.name, isOwner: isOwnership(email), invited: memberships.created_at })
    .from(memberships)
    .innerJoin(networks, eq(networks.id, memberships.network_id))
    .where(
      and(eq(memberships.user_id, id), eq(memberships.status, 'NonConfirmed'), eq(memberships.user_mode, 'Active')),
    );
  return [...invited, ...unconfirmed].toSorted((one, other) => (one.server < other.server ? -1 : 1));
};

export const findNetworkNamed = async (db: Queryable, name: string) => {
  const [found] = await db.select().from(networks).where(eq(networks.name, name));
  return found;
};

export const deleteOwnership = (tx: Queryable, networkId: number, email: string) =>
  tx.delete(owners).where(and(eq(owners.network_id, networkId), eq(owners.email, email)));
