import type { SiteStillSignedIn } from '@opensocial/signin';
import { and, eq, gt, inArray, lt, ne, or, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '../../../database/connect.ts';
import {
  consoleSessions,
  identitySessionSites,
  identitySessions,
  logoutSites,
  logouts,
  signIns,
  sites,
} from '../../../database/schema.ts';
import { endAtSites, hasBackChannel, lockSessions } from '../../../identity/ended-sessions.ts';
import type { Parts } from '../../../parts.ts';
import { hashToken, newToken } from '../../../secrets/tokens.ts';

export const minutesToSignOut = 30;

type LogoutSubject = { siteId: number; nameId: string; sessionIndexes: string[] };

/** The sessions that a site may end for a subject: those with the given indexes, or all that have signed the subject in to the site. */
export const findSessionsToEnd = (db: Queryable, { siteId, nameId, sessionIndexes }: LogoutSubject) =>
  db
    .select({ id: identitySessions.id, tokenHash: identitySessions.token_hash })
    .from(identitySessionSites)
    .innerJoin(identitySessions, eq(identitySessions.id, identitySessionSites.session_id))
    .where(
      and(
        eq(identitySessionSites.site_id, siteId),
        eq(identitySessionSites.name_id, nameId),
        sessionIndexes.length > 0 ? inArray(identitySessions.session_index, sessionIndexes) : undefined,
      ),
    );

export const hasSession = async (db: Queryable, sessionIndexes: string[]): Promise<boolean> => {
  const found = await db
    .select({ id: identitySessions.id })
    .from(identitySessions)
    .where(inArray(identitySessions.session_index, sessionIndexes))
    .limit(1);
  return found.length > 0;
};

const findParticipants = (db: Queryable, sessionIds: number[]) =>
  db
    .select({
      site: {
        kind: sites.kind,
        sls: sites.sls,
        sls_binding: sites.sls_binding,
        oidc: sites.oidc,
        hasBackChannel,
      },
      site_id: identitySessionSites.site_id,
      name_id: identitySessionSites.name_id,
      name_id_format: identitySessionSites.name_id_format,
      session_index: identitySessions.session_index,
    })
    .from(identitySessionSites)
    .innerJoin(identitySessions, eq(identitySessions.id, identitySessionSites.session_id))
    .innerJoin(sites, eq(sites.id, identitySessionSites.site_id))
    .where(inArray(identitySessionSites.session_id, sessionIds))
    .orderBy(sites.site_name, sites.id);

/** A site that a session has signed in to. */
export type Participant = Awaited<ReturnType<typeof findParticipants>>[number];

/** Ends sessions, with those of the console that come from them, and returns the sites of the sessions. */
export const endIdentitySessions = async (db: Transaction, sessionIds: number[]): Promise<Participant[]> => {
  await lockSessions(db, inArray(identitySessions.id, sessionIds));
  const participants = await findParticipants(db, sessionIds);
  const ended = await db
    .delete(identitySessions)
    .where(inArray(identitySessions.id, sessionIds))
    .returning({ index: identitySessions.session_index, userId: identitySessions.user_id });
  // Their unfinished sign-ins end too.
  await db.delete(signIns).where(
    inArray(
      signIns.user_id,
      ended.map(({ userId }) => userId),
    ),
  );
  await db.delete(consoleSessions).where(
    inArray(
      consoleSessions.session_index,
      ended.map(({ index }) => index),
    ),
  );
  return participants;
};

export const findSessionByToken = async (
  db: Queryable,
  token: string,
): Promise<{ id: number; index: string } | undefined> => {
  const [session] = await db
    .select({ id: identitySessions.id, index: identitySessions.session_index })
    .from(identitySessions)
    .where(eq(identitySessions.token_hash, hashToken(token)));
  return session;
};

/** Ends the session of a browser without visiting its sites. */
export const endSessionByToken = ({ db, jobs }: Pick<Parts, 'db' | 'jobs'>, token: string): Promise<void> =>
  db.transaction(async (tx) => {
    const session = await findSessionByToken(tx, token);
    if (!session) return;
    await endAtSites(tx, jobs, eq(identitySessions.id, session.id));
    await endIdentitySessions(tx, [session.id]);
  });

/** Both values are needed to find a single logout. The secret is only in a cookie of the browser that began it, which the id names. */
export type LogoutKey = { id: number; secret: string };

type LogoutDraft = Omit<typeof logouts.$inferInsert, 'token_hash' | 'expires_at'>;
export type LogoutSiteDraft = Omit<typeof logoutSites.$inferInsert, 'logout_id'>;

/**
 * When the queue sends a message that the browser's logout has not delivered, in seconds. The logout tries it at once, so the queue only
 * takes over if that failed, or if this process has ended meanwhile.
 */
const secondsToRetry = 30;

/** Queues the messages to sites that have an address for messages between servers. */
const queueMessages = async (tx: Transaction, { jobs }: Pick<Parts, 'jobs'>, logoutId: number): Promise<void> => {
  const ended = await tx
    .select({
      siteId: logoutSites.site_id,
      nameId: logoutSites.name_id,
      nameIdFormat: logoutSites.name_id_format,
      sessionIndex: logoutSites.session_index,
      logoutSiteId: logoutSites.id,
    })
    .from(logoutSites)
    .innerJoin(sites, eq(sites.id, logoutSites.site_id))
    .where(and(eq(logoutSites.logout_id, logoutId), hasBackChannel));
  await jobs.informSites(tx, ended, secondsToRetry);
};

/** Inserts a logout with the sites to inform, in the transaction that ends the sessions. */
export const insertLogout = async (
  db: Transaction,
  parts: Pick<Parts, 'jobs'>,
  draft: LogoutDraft,
  participants: LogoutSiteDraft[],
) => {
  const secret = newToken();
  const expires_at = sql`now() + make_interval(mins => ${minutesToSignOut})`;
  const [logout] = await db
    .insert(logouts)
    .values({ ...draft, token_hash: hashToken(secret), expires_at })
    .returning();
  if (!logout) throw new Error('The insert returned no logout.');
  if (participants.length > 0) {
    await db.insert(logoutSites).values(participants.map((participant) => ({ ...participant, logout_id: logout.id })));
    await queueMessages(db, parts, logout.id);
  }
  return { key: { id: logout.id, secret }, logout };
};
export type Logout = typeof logouts.$inferSelect;
export type LogoutSite = typeof logoutSites.$inferSelect;

const isRunning = gt(logouts.expires_at, sql`now()`);

const hasKey = ({ id, secret }: LogoutKey) =>
  and(eq(logouts.id, Number.isSafeInteger(id) ? id : 0), eq(logouts.token_hash, hashToken(secret)));

export const findLogout = async (db: Queryable, key: LogoutKey): Promise<Logout | undefined> => {
  const [found] = await db
    .select()
    .from(logouts)
    .where(and(hasKey(key), isRunning));
  return found;
};

/** The site whose latest request has this RelayState. */
export const findLogoutSite = async (db: Queryable, token: string): Promise<LogoutSite | undefined> => {
  const [found] = await db
    .select({ participant: logoutSites })
    .from(logoutSites)
    .innerJoin(logouts, eq(logouts.id, logoutSites.logout_id))
    .where(and(eq(logoutSites.token_hash, hashToken(token)), isRunning));
  return found?.participant;
};

export const finishLogout = (db: Queryable, id: number) =>
  db.update(logouts).set({ is_finished: true }).where(eq(logouts.id, id));

const isToFrame = inArray(logoutSites.step, ['waiting', 'framed']);

/** The sites whose request is to be made for a frame, or was made for a page that may have been left. */
export const findSitesToFrame = (db: Queryable, logoutId: number): Promise<LogoutSite[]> =>
  db
    .select()
    .from(logoutSites)
    .where(and(eq(logoutSites.logout_id, logoutId), isToFrame))
    .orderBy(logoutSites.id);

/** A request to a site: its id, and the RelayState that the response must have. */
export type SentRequest = { requestId: string; token: string };

const requestColumns = ({ requestId, token }: SentRequest) => ({ request_id: requestId, token_hash: hashToken(token) });

/** Returns whether the site is still to be framed: it may have answered, or the browser may visit it from another tab. */
export const recordFramedRequest = async (db: Queryable, id: number, request: SentRequest): Promise<boolean> => {
  const recorded = await db
    .update(logoutSites)
    .set({ step: 'framed', is_in_frame: true, ...requestColumns(request) })
    .where(and(eq(logoutSites.id, id), isToFrame))
    .returning({ id: logoutSites.id });
  return recorded.length > 0;
};

/** Ends steps without an answer: no further visit follows. */
export const endSteps = (db: Queryable, logoutId: number, steps: LogoutSite['step'][]) =>
  db
    .update(logoutSites)
    .set({ step: 'done' })
    .where(and(eq(logoutSites.logout_id, logoutId), inArray(logoutSites.step, steps)));

/**
 * Chooses the site that the browser visits next, and records the request to it. Sites that cannot be in a frame come last: nothing is
 * known of them, and one that does not send the browser back ends the logout.
 */
export const takeNextVisit = async (
  db: Queryable,
  logoutId: number,
  request: SentRequest,
): Promise<LogoutSite | undefined> => {
  const next = db
    .select({ id: logoutSites.id })
    .from(logoutSites)
    .where(and(eq(logoutSites.logout_id, logoutId), inArray(logoutSites.step, ['waiting', 'framed', 'returned'])))
    .orderBy(sql`${logoutSites.step} = 'waiting'`, logoutSites.id)
    .limit(1)
    .for('update', { skipLocked: true });
  const [taken] = await db
    .update(logoutSites)
    .set({ step: 'visited', is_in_frame: false, ...requestColumns(request) })
    .where(inArray(logoutSites.id, next))
    .returning();
  return taken;
};

/**
 * Records the response to the request with this RelayState. A site counts as informed if one of its responses reports success. Each site
 * has its own row, so that responses that arrive at the same time do not overwrite each other.
 */
export const recordResponse = async (
  db: Queryable,
  token: string,
  { isInformed, step }: { isInformed: boolean; step: 'returned' | 'done' },
): Promise<LogoutSite | undefined> => {
  const [recorded] = await db
    .update(logoutSites)
    .set({
      is_informed: sql`${logoutSites.is_informed} or ${isInformed}`,
      step: sql`case when ${logoutSites.step} in ('framed', 'visited') then ${step} else ${logoutSites.step} end`,
    })
    .where(eq(logoutSites.token_hash, hashToken(token)))
    .returning();
  return recorded;
};

/** Records that frames have loaded the pages of sites. Sites that answer report the outcome themselves, so this does not apply to them. */
export const recordLoaded = (db: Queryable, logoutId: number, ids: readonly number[]) =>
  db
    .update(logoutSites)
    .set({ is_informed: true, step: 'done' })
    .where(
      and(
        eq(logoutSites.logout_id, logoutId),
        inArray(logoutSites.id, [...ids]),
        eq(logoutSites.step, 'framed'),
        inArray(logoutSites.site_id, db.select({ id: sites.id }).from(sites).where(eq(sites.protocol, 'oidc'))),
      ),
    );

/** Claims the sites that no visit has informed and that have an address for messages from server to server. Each is claimed once. */
export const claimBackChannels = (db: Queryable, logoutId: number): Promise<LogoutSite[]> => {
  const reachable = db.select({ id: sites.id }).from(sites).where(hasBackChannel);
  return db
    .update(logoutSites)
    .set({ is_soap_tried: true })
    .where(
      and(
        eq(logoutSites.logout_id, logoutId),
        eq(logoutSites.step, 'done'),
        eq(logoutSites.is_informed, false),
        eq(logoutSites.is_soap_tried, false),
        inArray(logoutSites.site_id, reachable),
      ),
    )
    .returning();
};

/** Whether a site was informed. False if the logout is over and its rows are deleted. */
export const isInformed = async (db: Queryable, id: number): Promise<boolean> =>
  (await db.$count(logoutSites, and(eq(logoutSites.id, id), eq(logoutSites.is_informed, true)))) > 0;

export const recordInformed = (db: Queryable, id: number) =>
  db.update(logoutSites).set({ is_informed: true }).where(eq(logoutSites.id, id));

/** How long the queue tries to inform a site, in minutes. */
const minutesOfRetries = 4;

const isRetried = sql<boolean>`(${hasBackChannel} and not ${logoutSites.is_informed}
  and ${logouts.created_at} > now() - make_interval(mins => ${minutesOfRetries}))`;

const findNames = (db: Queryable, where: ReturnType<typeof and>): Promise<SiteStillSignedIn[]> =>
  db
    .selectDistinct({ name: sites.site_name, isRetried: isRetried.as('is_retried') })
    .from(logoutSites)
    .innerJoin(logouts, eq(logouts.id, logoutSites.logout_id))
    .innerJoin(sites, eq(sites.id, logoutSites.site_id))
    .where(where)
    .orderBy(sites.site_name);

/** The sites that a logout has not informed. */
export const findUninformedSites = (db: Queryable, logoutId: number): Promise<SiteStillSignedIn[]> =>
  findNames(db, and(eq(logouts.id, logoutId), eq(logoutSites.is_informed, false)));

/** The sites that a logout of the console did not reach, for its last page. Logouts of other sites are not shown there. */
export const findUnnotifiedSitesByRequest = (db: Queryable, requestId: string): Promise<SiteStillSignedIn[]> => {
  const console = db.select({ id: sites.id }).from(sites).where(eq(sites.kind, 'console'));
  return findNames(
    db,
    and(
      eq(logouts.logout_request_id, requestId),
      inArray(logouts.requesting_site_id, console),
      eq(logoutSites.is_informed, false),
    ),
  );
};

/** A logout that is younger than this may still be running in another tab. */
const secondsRunning = 5;

/** The sites that an unfinished logout has not informed for certain, because one of them did not send the browser back. */
export const findUnnotifiedSitesByKey = (db: Queryable, key: LogoutKey): Promise<SiteStillSignedIn[]> =>
  findNames(
    db,
    and(
      hasKey(key),
      eq(logouts.is_finished, false),
      lt(logouts.created_at, sql`now() - make_interval(secs => ${secondsRunning})`),
      or(eq(logoutSites.is_informed, false), ne(logoutSites.step, 'done')),
    ),
  );
