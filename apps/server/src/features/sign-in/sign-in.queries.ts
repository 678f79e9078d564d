import { and, eq, gt, type SQL, sql } from 'drizzle-orm';
import { type Database, nested, prepared, type Queryable } from '../../database/connect.ts';
import {
  groupSites,
  groupUsers,
  identitySessions,
  memberships,
  networkSettings,
  networks,
  owners,
  passkeys,
  signIns,
  signingKeys,
  sites,
  users,
} from '../../database/schema.ts';
import { hashToken, newToken } from '../../secrets/tokens.ts';
import { mainNetworkName } from '../networks/networks.service.ts';
import { ageLimit, idleLimit } from '../session/session.service.ts';
import { isInactive } from '../settings/settings.service.ts';

const stamped = {
  /** Changes with each of the rows that a destination is made of. */
  stamp: sql<string>`concat_ws(' ', ${sites}.xmin, ${networks}.xmin, ${networkSettings}.xmin, ${signingKeys.id})`,
};

/** A site with all that an answer to it needs: its network, the network's settings and current key. */
const destinationWhere = (name: string, where: SQL | undefined) =>
  prepared((db) =>
    db
      .select({ site: sites, network: networks, settings: networkSettings, key: signingKeys, ...stamped })
      .from(sites)
      .innerJoin(networks, eq(networks.id, sites.network_id))
      .innerJoin(networkSettings, eq(networkSettings.network_id, networks.id))
      .innerJoin(signingKeys, and(eq(signingKeys.network_id, networks.id), eq(signingKeys.state, 'current')))
      .where(where)
      .prepare(`destination_by_${name}`),
  );
const inNetwork = eq(networks.name, sql.placeholder('network'));
const destinationByIdentity = destinationWhere(
  'identity',
  and(inNetwork, eq(sites.identity, sql.placeholder('identity'))),
);
const destinationInNetwork = destinationWhere('network', and(inNetwork, eq(sites.id, sql.placeholder('id'))));
const mainEntrance = destinationWhere('entrance', and(inNetwork, eq(sites.kind, 'console')));
const destinationById = destinationWhere('id', eq(sites.id, sql.placeholder('id')));

export const findSiteById = async (db: Database, id: number) => {
  const [found] = await destinationById(db).execute({ id });
  return found;
};
export type Destination = NonNullable<Awaited<ReturnType<typeof findSiteById>>>;

/** Where somebody wants to go: a site of a network, by the name it gives itself or by its id. */
export type Whereto = { network: string } & ({ identity: string } | { id: number });

export const findDestination = async (db: Database, whereto: Whereto): Promise<Destination | undefined> => {
  const statement = 'identity' in whereto ? destinationByIdentity : destinationInNetwork;
  const [found] = await statement(db).execute(whereto);
  return found;
};

/** The main network's own sign-in: that of the console. */
export const findMainEntrance = async (db: Database): Promise<Destination> => {
  const [entrance] = await mainEntrance(db).execute({ network: mainNetworkName });
  if (!entrance) throw new Error('The console is not registered.');
  return entrance;
};

/**
 * What there is to know of an account before it may enter a site, which is read in the same query. The console is open to
 * the members of every network.
 */
const standing = {
  id: users.id,
  uid: users.uid,
  email: users.email,
  firstname: users.firstname,
  lastname: users.lastname,
  fullname: users.fullname,
  passwordHash: users.password_hash,
  failedTries: nested<number>(
    sql`(select ${networkSettings.failed_tries} from ${networkSettings} where ${networkSettings.network_id} = ${users.home_network_id})`,
  ),
  status: users.status,
  mode: users.user_mode,
  isInactive: nested<boolean>(isInactive),
  homeNetworkId: users.home_network_id,
  /** Whether its password has reached the age that its home network allows. */
  isPasswordOld: nested<boolean>(
    sql`exists (select 1 from ${networkSettings} where ${networkSettings.network_id} = ${users.home_network_id}
      and ${networkSettings.password_expiration} > 0 and ${users.password_hash} is not null
      and coalesce(${users.password_changed_at}, ${users.created_at})
        < now() - make_interval(months => ${networkSettings.password_expiration}))`,
  ),
  hasTotp: sql<boolean>`${users.totp_secret} is not null`,
  hasPasskey: nested<boolean>(sql`exists (select 1 from ${passkeys} where ${passkeys.user_id} = ${users.id})`),
  emailMfa: users.email_mfa,
  /** The console has no policy of its own: whoever enters it owes what their home network asks for. */
  homeMfaOptions: nested<string[] | null>(
    sql`(select ${networkSettings.mfa_options} from ${networkSettings} where ${networkSettings.network_id} = ${users.home_network_id}
      and ${networkSettings.mfa} = 'Enable' and ${sites.kind} = 'console')`,
  ),
  credentialsAt: users.credentials_at,
  lastLoginAt: users.last_login_at,
  isMember: nested<boolean>(sql`exists (select 1 from ${memberships} where ${memberships.user_id} = ${users.id}
    and (${sites.kind} = 'console' or ${memberships.network_id} = ${sites.network_id}))`),
  isOwner: nested<boolean>(
    sql`exists (select 1 from ${owners} where ${owners.email} = ${users.email} and ${owners.network_id} = ${sites.network_id})`,
  ),
  isInGroup: nested<boolean>(sql`not exists (select 1 from ${groupSites} where ${groupSites.site_id} = ${sites.id})
    or exists (select 1 from ${groupSites} join ${groupUsers} on ${groupUsers.group_id} = ${groupSites.group_id}
      where ${groupSites.site_id} = ${sites.id} and ${groupUsers.user_id} = ${users.id})`),
  groups: nested<string[]>(sql`array(select name from groups join ${groupUsers} on ${groupUsers.group_id} = groups.id
    where ${groupUsers.user_id} = ${users.id} and groups.network_id = ${sites.network_id} order by name)`),
};

const standingWhere = (name: string, where: SQL) =>
  prepared((db) =>
    db
      .select(standing)
      .from(users)
      .innerJoin(sites, eq(sites.id, sql.placeholder('siteId')))
      .where(where)
      .prepare(`standing_by_${name}`),
  );
const standingByEmail = standingWhere('email', eq(users.email, sql.placeholder('email')));
const standingById = standingWhere('id', eq(users.id, sql.placeholder('id')));

export const findStandingByEmail = async (db: Database, { site }: Destination, email: string) => {
  const [found] = await standingByEmail(db).execute({ siteId: site.id, email });
  return found;
};
export const findStandingById = async (db: Database, { site }: Destination, id: number) => {
  const [found] = await standingById(db).execute({ siteId: site.id, id });
  return found;
};
export type Standing = NonNullable<Awaited<ReturnType<typeof findStandingByEmail>>>;

const isAlive = () =>
  and(gt(identitySessions.last_seen_at, idleLimit), gt(identitySessions.authenticated_at, ageLimit));

/**
 * The live session of a browser at the identity provider, with its account's standing at a site, and the site's stamp: every
 * single sign-on asks it.
 */
const identityAt = prepared((db) =>
  db
    .select({ ...stamped, session: identitySessions, user: standing })
    .from(sites)
    .innerJoin(networks, eq(networks.id, sites.network_id))
    .innerJoin(networkSettings, eq(networkSettings.network_id, networks.id))
    .innerJoin(signingKeys, and(eq(signingKeys.network_id, networks.id), eq(signingKeys.state, 'current')))
    .innerJoin(identitySessions, and(eq(identitySessions.token_hash, sql.placeholder('tokenHash')), isAlive()))
    .innerJoin(users, eq(users.id, identitySessions.user_id))
    .where(eq(sites.id, sql.placeholder('siteId')))
    .prepare('identity_at'),
);

export const findIdentity = async (db: Database, { site }: Destination, token: string) => {
  const [found] = await identityAt(db).execute({ siteId: site.id, tokenHash: hashToken(token) });
  return found;
};
export type Identity = Pick<NonNullable<Awaited<ReturnType<typeof findIdentity>>>, 'session' | 'user'>;

export const insertIdentitySession = async (
  db: Queryable,
  session: Omit<typeof identitySessions.$inferInsert, 'token_hash'>,
) => {
  const token = newToken();
  const [made] = await db
    .insert(identitySessions)
    .values({ ...session, token_hash: hashToken(token) })
    .returning();
  if (!made) throw new Error('A session that was just made is gone.');
  return { token, session: made };
};

/** The same session under a new id, for a user who has proved it again. */
export const renewIdentitySession = async (
  db: Queryable,
  former: string,
  userId: number,
  changes: Pick<typeof identitySessions.$inferInsert, 'login_from' | 'mfa' | 'ip_address' | 'user_agent'>,
) => {
  const token = newToken();
  const [renewed] = await db
    .update(identitySessions)
    .set({
      ...changes,
      token_hash: hashToken(token),
      authenticated_at: sql`now()`,
      last_seen_at: sql`now()`,
    })
    .where(and(eq(identitySessions.token_hash, hashToken(former)), eq(identitySessions.user_id, userId), isAlive()))
    .returning();
  return renewed && { token, session: renewed };
};

export const deleteIdentitySession = (db: Queryable, token: string) =>
  db.delete(identitySessions).where(eq(identitySessions.token_hash, hashToken(token)));

export const insertSignIn = async (db: Queryable, signIn: Omit<typeof signIns.$inferInsert, 'token_hash'>) => {
  const token = newToken();
  await db.insert(signIns).values({ ...signIn, token_hash: hashToken(token) });
  return token;
};

/** A sign-in under way, for the browser that began it and nobody else. */
export const findSignIn = async (db: Queryable, token: string, browser: string) => {
  const [found] = await db
    .select()
    .from(signIns)
    .where(
      and(
        eq(signIns.token_hash, hashToken(token)),
        eq(signIns.browser_hash, hashToken(browser)),
        gt(signIns.expires_at, sql`now()`),
      ),
    );
  return found;
};

/** How far the browser has come; nothing where it has ended meanwhile. */
export const updateSignIn = async (db: Queryable, id: number, changes: Partial<typeof signIns.$inferInsert>) => {
  const [signIn] = await db.update(signIns).set(changes).where(eq(signIns.id, id)).returning();
  return signIn;
};
export type SignIn = typeof signIns.$inferSelect;

/** Puts another challenge in the place of the one that was answered; of two answers at the same moment, one does. */
export const replaceChallenge = async (db: Queryable, { id, passkey_challenge }: SignIn, next: Buffer) => {
  const [signIn] = await db
    .update(signIns)
    .set({ passkey_challenge: next })
    .where(and(eq(signIns.id, id), eq(signIns.passkey_challenge, passkey_challenge)))
    .returning();
  return signIn;
};

/** Ends a sign-in; of two tabs that finish it at the same moment, one does. */
export const deleteSignIn = async (db: Queryable, id: number): Promise<boolean> => {
  const { rowCount } = await db.delete(signIns).where(eq(signIns.id, id));
  return rowCount === 1;
};

/** Whether a message is seen for the first time. */
export const takeMessage = async (db: Queryable, messageId: string, expiresAt: Date): Promise<boolean> => {
  const { rowCount } = await db.execute(
    sql`insert into saml_replays (message_id, expires_at) values (${messageId}, ${expiresAt.toISOString()}) on conflict do nothing`,
  );
  return rowCount === 1;
};

/** What has run out, by table. Each is removed a piece at a time, and none waits for another. */
const stale = {
  identity_sessions: sql`last_seen_at < ${idleLimit} or authenticated_at < ${ageLimit}`,
  sign_ins: sql`expires_at < now()`,
  logouts: sql`expires_at < now()`,
  saml_replays: sql`expires_at < now() - interval '1 hour'`,
  one_time_tokens: sql`expires_at < now() - interval '30 days'`,
  throttles: sql`updated_at < now() - interval '2 days'`,
};

export const deleteStaleSignIns = async (db: Queryable): Promise<void> => {
  for (const [table, isStale] of Object.entries(stale))
    await deleteInPieces(db, sql`${sql.identifier(table)}`, isStale);
};

const deleteInPieces = async (db: Queryable, table: SQL, isStale: SQL): Promise<void> => {
  const piece = 5_000;
  const { rowCount } = await db.execute(
    sql`delete from ${table} where ctid = any(array(select ctid from ${table} where ${isStale} limit ${piece}))`,
  );
  if (rowCount === piece) await deleteInPieces(db, table, isStale);
};
