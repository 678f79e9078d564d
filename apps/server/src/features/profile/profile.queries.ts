import { and, desc, eq, gt, sql } from 'drizzle-orm';
import { nested, type Queryable } from '../../database/connect.ts';
import {
  consoleSessions,
  identitySessionSites,
  identitySessions,
  networkSettings,
  profilePictures,
  signIns,
  sites,
  users,
} from '../../database/schema.ts';
import { endAtSites } from '../../identity/ended-sessions.ts';
import { ageLimit, idleLimit } from '../../identity/session-limits.ts';
import type { Jobs } from '../../jobs/jobs.ts';

/** An account with the settings of its home network, whose rules apply to its password. */
export const getAccount = async (db: Queryable, userId: number) => {
  const [found] = await db
    .select({ user: users, settings: networkSettings })
    .from(users)
    .innerJoin(networkSettings, eq(networkSettings.network_id, users.home_network_id))
    .where(eq(users.id, userId));
  if (!found) throw new Error('The account of the session was not found.');
  return found;
};

export const updateNames = (tx: Queryable, userId: number, names: { firstname: string; lastname: string }) =>
  tx.update(users).set(names).where(eq(users.id, userId));

// ── Devices ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The applications that were opened in a session. The console is left out, because its session ends too. */
const openedSites = nested<string[]>(sql`array(
  select ${sites.site_name} from ${identitySessionSites} join ${sites} on ${sites.id} = ${identitySessionSites.site_id}
  where ${identitySessionSites.session_id} = ${identitySessions.id} and ${sites.kind} = 'site' order by 1)`);

export const findDevices = (db: Queryable, userId: number) =>
  db
    .select({ session: identitySessions, sites: openedSites })
    .from(identitySessions)
    .where(
      and(
        eq(identitySessions.user_id, userId),
        gt(identitySessions.last_seen_at, idleLimit),
        gt(identitySessions.authenticated_at, ageLimit),
      ),
    )
    .orderBy(desc(identitySessions.last_seen_at), desc(identitySessions.id));
export type DeviceRow = Awaited<ReturnType<typeof findDevices>>[number];

/** Signs out one of the user's browsers, at the identity provider and in the console. */
export const deleteDevice = async (tx: Queryable, jobs: Jobs, userId: number, id: number): Promise<void> => {
  const isDevice = and(eq(identitySessions.id, id), eq(identitySessions.user_id, userId));
  await endAtSites(tx, jobs, isDevice);
  const [ended] = await tx
    .delete(identitySessions)
    .where(isDevice)
    .returning({ index: identitySessions.session_index });
  if (!ended) return;
  // Sign-ins that it has begun are cancelled too.
  await tx.delete(signIns).where(eq(signIns.user_id, userId));
  await tx.delete(consoleSessions).where(eq(consoleSessions.session_index, ended.index));
};

// ── Pictures ─────────────────────────────────────────────────────────────────────────────────────────────────────────

export const insertPicture = (tx: Queryable, userId: number, name: string) =>
  tx.insert(profilePictures).values({ user_id: userId, name });

export const hasPicture = async (db: Queryable, name: string): Promise<boolean> =>
  (await db.$count(profilePictures, eq(profilePictures.name, name))) > 0;

/** Sets the picture only if this user has uploaded it. */
export const updatePicture = async (tx: Queryable, userId: number, picture: string): Promise<boolean> => {
  const owned = tx
    .select({ name: profilePictures.name })
    .from(profilePictures)
    .where(and(eq(profilePictures.name, picture), eq(profilePictures.user_id, userId)));
  const { rowCount } = await tx
    .update(users)
    .set({ picture })
    .where(and(eq(users.id, userId), sql`exists ${owned}`));
  return rowCount === 1;
};

/** Deletes the pictures of a user except these, and returns the names of the deleted ones. */
export const deletePictures = async (
  tx: Queryable,
  userId: number,
  kept: readonly string[] = [],
): Promise<string[]> => {
  const deleted = await tx
    .delete(profilePictures)
    .where(and(eq(profilePictures.user_id, userId), sql`${profilePictures.name} <> all(${sql.param(kept)})`))
    .returning({ name: profilePictures.name });
  return deleted.map(({ name }) => name);
};

/** Locks the user until the transaction ends, so that nobody else changes the pictures. */
export const lockUserRow = async (tx: Queryable, userId: number): Promise<{ picture: string | null } | undefined> => {
  const [locked] = await tx
    .select({ picture: users.picture })
    .from(users)
    .where(eq(users.id, userId))
    .for('no key update');
  return locked;
};
