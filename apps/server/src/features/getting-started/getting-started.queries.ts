import { and, eq, or, sql } from 'drizzle-orm';
import { nested, type Queryable } from '../../database/connect.ts';
import { memberships, networkSettings, networkSetup, networks, passkeys, sites, users } from '../../database/schema.ts';
import { belongsElsewhere, isOwnerOfNetwork, mainNetworkName } from '../../identity/membership.ts';

/**
 * Whether no owner lacks a second factor. Of accounts that belong to other networks too, only that of the viewer is considered, because
 * their second factors are not the business of this network.
 */
const ownersAreProtected = (viewerId: number) => {
  const isVisible = or(
    eq(users.id, viewerId),
    and(eq(users.home_network_id, networks.id), sql`not ${belongsElsewhere(users.id, networks.id)}`),
  );
  const hasFactor = sql`(${users.totp_secret} is not null or ${users.email_mfa}
    or exists (select 1 from ${passkeys} where ${passkeys.user_id} = ${users.id}))`;
  return sql`not exists (select 1 from owners listed join ${users} on ${users.email} = listed.email
    where listed.network_id = ${networks.id} and ${isOwnerOfNetwork(users.id, networks.id)} and ${isVisible} and not ${hasFactor})`;
};

/** What is done in a network. */
export const findSetup = async (db: Queryable, networkId: number, viewerId: number) => {
  const hasSite = db
    .select({ one: sql`1` })
    .from(sites)
    .where(and(eq(sites.network_id, networks.id), eq(sites.kind, 'site')));
  const mainNetworkId = sql`(select id from networks where name = ${mainNetworkName})`;
  // An owner of the main network who creates a network is a member of it, but nobody has been invited yet.
  const hasOthers = sql`(select from ${memberships} join ${users} on ${users.id} = ${memberships.user_id}
    where ${memberships.network_id} = ${networks.id} and not exists (select from owners listed
      where listed.email = ${users.email} and listed.network_id in (${networks.id}, ${mainNetworkId})))`;
  const hasNetworks = sql`(select from networks other where other.id <> ${networks.id})`;
  const [found] = await db
    .select({
      application: nested<boolean>(sql`exists ${hasSite}`),
      network: nested<boolean>(sql`exists ${hasNetworks}`),
      people: nested<boolean>(sql`exists ${hasOthers}`),
      secondFactor: nested<boolean>(ownersAreProtected(viewerId)),
      branding: sql<boolean>`${networkSettings.logo} is not null or ${networkSettings.background} is not null`,
      dismissedAt: networkSetup.dismissed_at,
      backupAt: networkSetup.backup_at,
      mailAt: networkSetup.mail_at,
    })
    .from(networks)
    .innerJoin(networkSettings, eq(networkSettings.network_id, networks.id))
    .leftJoin(networkSetup, eq(networkSetup.network_id, networks.id))
    .where(eq(networks.id, networkId));
  if (!found) throw new Error('The network was not found.');
  return found;
};

type SetupChanges = Partial<Omit<typeof networkSetup.$inferInsert, 'network_id'>>;

export const upsertSetup = async (db: Queryable, networkId: number, changes: SetupChanges): Promise<void> => {
  await db
    .insert(networkSetup)
    .values({ network_id: networkId, ...changes })
    .onConflictDoUpdate({ target: networkSetup.network_id, set: changes });
};
