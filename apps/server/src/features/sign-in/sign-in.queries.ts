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

/** Changes with each of the rows that a destination is made of. */
const stampOf = (siteId: typeof sites.id | typeof signIns.site_id) =>
  nested<string>(sql`(select concat_ws(' ', site.xmin, network.xmin, settings.xmin, key.id)
    from ${sites} as site join ${networks} as network on network.id = site.network_id
    join ${networkSettings} as settings on settings.network_id = network.id
    join ${signingKeys} as key on key.network_id = network.id and key.state = 'current'
    where site.id = ${siteId})`);

const stampById = prepared((db) =>
  db
    .select({ stamp: stampOf(sites.id) })
    .from(sites)
    .where(eq(sites.id, sql.placeholder('id')))
    .prepare('stamp_by_id'),
);

/** The stamp that a site has now. */
export const findStamp = async (db: Database, id: number): Promise<string | undefined> => {
  const [found] = await stampById(db).execute({ id });
  return found?.stamp;
};

/** A site with all that an answer to it needs: its network, the network's settings and current key. */
const destinationWhere = (name: string, where: SQL | undefined) =>
  prepared((db) =>
    db
      .select({ site: sites, network: networks, settings: networkSettings, key: signingKeys, stamp: stampOf(sites.id) })
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
 * The live sessions of browsers at the identity provider, with their accounts' standing at a site each, and the site's stamp:
 * every single sign-on asks for one.
 */
const identitiesAt = prepared((db) =>
  db
    .select({
      at: sql<number>`given.at::int`,
      stamp: stampOf(sites.id),
      session: identitySessions,
      user: standing,
    })
    .from(
      sql`unnest(${sql.placeholder('tokenHashes')}::bytea[], ${sql.placeholder('siteIds')}::bigint[]) with ordinality as given (token_hash, site_id, at)`,
    )
    .innerJoin(sites, eq(sites.id, sql`given.site_id`))
    .innerJoin(identitySessions, and(eq(identitySessions.token_hash, sql`given.token_hash`), isAlive()))
    .innerJoin(users, eq(users.id, identitySessions.user_id))
    .prepare('identities_at'),
);

export type Presented = { siteId: number; token: string };

/** In the order of what was presented; nothing where there is no live session. */
export const findIdentities = async (db: Database, presented: readonly Presented[]) => {
  const found = await identitiesAt(db).execute({
    tokenHashes: presented.map(({ token }) => hashToken(token)),
    siteIds: presented.map(({ siteId }) => siteId),
  });
  const byPlace = new Map(found.map((identity) => [identity.at, identity]));
  return presented.map((_, index) => byPlace.get(index + 1));
};
export type Identity = Pick<NonNullable<Awaited<ReturnType<typeof findIdentities>>[number]>, 'session' | 'user'>;

type IdentitySession = typeof identitySessions.$inferSelect;

/** An account, and when the credentials were made by which it was known. */
type Known = { id: number; credentialsAt: Date };

/** Waits for a change of password or second factor that is under way, and is none the wiser after it. */
const identitySessionInsert = `
  insert into identity_sessions (token_hash, session_index, user_id, login_from, mfa, ip_address, user_agent, authenticated_at)
  select $1, $2, id, $3, $4, $5, $6, $7 from users
  where id = $8 and date_trunc('milliseconds', credentials_at) = $9 and status = 'Confirmed' and user_mode = 'Active' for share
  returning id, last_seen_at, created_at`;

/** A session for whoever was known by the credentials that the account still has, and may still sign in; else nothing. */
export const insertIdentitySession = async (
  { $client }: Database,
  user: Known,
  session: Omit<IdentitySession, 'id' | 'token_hash' | 'user_id' | 'last_seen_at' | 'created_at'>,
): Promise<{ token: string; session: IdentitySession } | undefined> => {
  const token = newToken();
  const token_hash = hashToken(token);
  const { session_index, login_from, mfa, ip_address, user_agent, authenticated_at } = session;
  const known = [token_hash, session_index, login_from, mfa, ip_address, user_agent, authenticated_at];
  const { rows } = await $client.query<{ id: string; last_seen_at: Date; created_at: Date }>({
    name: 'insert_identity_session',
    text: identitySessionInsert,
    values: [...known, user.id, user.credentialsAt],
  });
  const [made] = rows;
  return made && { token, session: { ...session, ...made, id: Number(made.id), user_id: user.id, token_hash } };
};

/** The same session under a new id, for a user who has proved it again. */
export const renewIdentitySession = async (
  db: Queryable,
  former: string,
  userId: number,
  changes: Pick<IdentitySession, 'login_from' | 'mfa' | 'authenticated_at' | 'ip_address' | 'user_agent'>,
) => {
  const token = newToken();
  const [renewed] = await db
    .update(identitySessions)
    .set({
      ...changes,
      token_hash: hashToken(token),
      last_seen_at: sql`now()`,
    })
    .where(and(eq(identitySessions.token_hash, hashToken(former)), eq(identitySessions.user_id, userId), isAlive()))
    .returning();
  return renewed && { token, session: renewed };
};

const signInInsert = prepared((db) =>
  db
    .insert(signIns)
    .values({
      token_hash: sql.placeholder('token_hash'),
      browser_hash: sql.placeholder('browser_hash'),
      network_id: sql.placeholder('network_id'),
      site_id: sql.placeholder('site_id'),
      request_id: sql.placeholder('request_id'),
      name_id_format: sql.placeholder('name_id_format'),
      relay_state: sql.placeholder('relay_state'),
      is_forced: sql.placeholder('is_forced'),
      user_id: sql.placeholder('user_id'),
      login_from: sql.placeholder('login_from'),
      // As it stands: Drizzle makes no moment of null.
      authenticated_at: sql`${sql.placeholder('authenticated_at')}::timestamptz`,
      expires_at: sql.placeholder('expires_at'),
    })
    .prepare('insert_sign_in'),
);

export type SignIn = typeof signIns.$inferSelect;

export const insertSignIn = async (
  db: Database,
  signIn: Omit<SignIn, 'id' | 'token_hash' | 'mfa' | 'social' | 'passkey_challenge' | 'created_at'>,
) => {
  const token = newToken();
  await signInInsert(db).execute({ ...signIn, token_hash: hashToken(token) });
  return token;
};

const signInUnderWay = prepared((db) =>
  db
    .select({ signIn: signIns, stamp: stampOf(signIns.site_id) })
    .from(signIns)
    .where(
      and(
        eq(signIns.token_hash, sql.placeholder('tokenHash')),
        eq(signIns.browser_hash, sql.placeholder('browserHash')),
        gt(signIns.expires_at, sql`now()`),
      ),
    )
    .prepare('sign_in_under_way'),
);

/** A sign-in under way, for the browser that began it and nobody else, and the stamp of the site that it leads to. */
export const findSignIn = async (db: Database, token: string, browser: string) => {
  const hashes = { tokenHash: hashToken(token), browserHash: hashToken(browser) };
  const [found] = await signInUnderWay(db).execute(hashes);
  return found;
};

/** A sign-in that nobody else, in another tab of the same browser, has taken over meanwhile. */
const stillOf = ({ id, user_id, network_id }: SignIn) =>
  and(
    eq(signIns.id, id),
    eq(signIns.network_id, network_id),
    sql`${signIns.user_id} is not distinct from ${user_id}::bigint`,
  );

/** Whether a sign-in under way is still that of whoever is known in it. */
export const isStill = async (tx: Queryable, signIn: SignIn): Promise<boolean> =>
  (await tx.$count(signIns, stillOf(signIn))) === 1;

/**
 * How far the browser has come; nothing where it has ended meanwhile. What was proven counts for whoever proved it: only a change
 * that says anew who it is takes a sign-in over.
 */
export const updateSignIn = async (db: Queryable, former: SignIn, changes: Partial<SignIn>) => {
  const isWhole = 'user_id' in changes;
  const [signIn] = await db
    .update(signIns)
    .set(changes)
    .where(isWhole ? eq(signIns.id, former.id) : stillOf(former))
    .returning();
  return signIn;
};

/** The same for whoever was just known by the credentials that the account still has. It waits for a change that is under way. */
export const noteKnown = (db: Database, former: SignIn, user: Known, changes: Partial<SignIn>) =>
  db.transaction(async (tx) => {
    const isSame = sql`date_trunc('milliseconds', ${users.credentials_at}) = ${user.credentialsAt.toISOString()}`;
    const [held] = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, user.id), isSame))
      .for('share');
    return held && updateSignIn(tx, former, changes);
  });

/** Puts another challenge in the place of the one that was answered; of two answers at the same moment, one does. */
export const replaceChallenge = async (db: Queryable, former: SignIn, next: Buffer) => {
  const [signIn] = await db
    .update(signIns)
    .set({ passkey_challenge: next })
    .where(and(stillOf(former), eq(signIns.passkey_challenge, former.passkey_challenge)))
    .returning();
  return signIn;
};

const signInDelete = prepared((db) =>
  db
    .delete(signIns)
    .where(eq(signIns.id, sql.placeholder('id')))
    .prepare('delete_sign_in'),
);

/** Ends a sign-in; of two tabs that finish it at the same moment, one does. */
export const deleteSignIn = async (db: Database, id: number): Promise<boolean> => {
  const { rowCount } = await signInDelete(db).execute({ id });
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
