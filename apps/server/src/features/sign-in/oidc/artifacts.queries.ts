import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Database, Queryable } from '../../../database/connect.ts';
import { oidcArtifacts, oidcGrants } from '../../../database/schema.ts';
import { hashToken } from '../../../secrets/tokens.ts';

/** A code, token, pushed request or interaction, by the value that a client or browser has. */
export type ArtifactKey = { networkId: number; kind: string; id: string };

const hashOf = ({ kind, id }: ArtifactKey): Buffer => hashToken(`${kind} ${id}`);

const isArtifact = (key: ArtifactKey) =>
  and(eq(oidcArtifacts.id_hash, hashOf(key)), eq(oidcArtifacts.network_id, key.networkId));

type Payload = Record<string, unknown>;

/**
 * Whether the tokens of a grant `g` work. They end with the session, or, without a session, when the person gets new credentials or an
 * owner ends the person's sessions in the network. They do not work for an account or a site that is disabled.
 */
const isGrantLive = `
  g.expires_at > now() and site.status = 'Active' and person.status = 'Confirmed' and person.user_mode = 'Active'
  and member.status = 'Confirmed' and member.user_mode = 'Active'
  and case when g.session_id is null
    then g.created_at >= person.credentials_at and (member.sessions_ended_at is null or g.created_at > member.sessions_ended_at)
    else session.last_seen_at > now() - make_interval(mins => settings.session_idle_minutes)
      and session.authenticated_at > now() - make_interval(hours => settings.session_hours)
      and (member.sessions_ended_at is null or session.authenticated_at > member.sessions_ended_at)
    end`;

const grantTables = `
  oidc_grants as g
  join sites as site on site.id = g.site_id
  join network_settings as settings on settings.network_id = site.network_id
  join users as person on person.id = g.user_id
  join memberships as member on member.user_id = g.user_id and member.network_id = site.network_id
  left join identity_sessions as session on session.id = g.session_id`;

const artifactText = `
  select a.payload, extract(epoch from a.consumed_at)::int as consumed from oidc_artifacts as a
  where a.id_hash = $1 and a.network_id = $2 and a.expires_at > now()
    and (a.grant_id is null or exists (select 1 from ${grantTables} where g.id = a.grant_id and ${isGrantLive}))`;

/** An artifact that has not expired and whose grant is live. */
export const findArtifact = async ({ $client }: Database, key: ArtifactKey): Promise<Payload | undefined> => {
  const { rows } = await $client.query<{ payload: Payload; consumed: number | null }>({
    name: 'oidc_artifact',
    text: artifactText,
    values: [hashOf(key), key.networkId],
  });
  const [found] = rows;
  return found && { ...found.payload, jti: key.id, ...(found.consumed !== null && { consumed: found.consumed }) };
};

/** A token whose grant has ended at the same time is not stored, so that it does not work: nothing would end it later. */
const upsertText = `
  insert into oidc_artifacts (id_hash, kind, network_id, grant_id, payload, expires_at)
  select $1, $2, $3, g.id, $5, now() + make_interval(secs => $6)
  from (select $4::text as uid) as given left join oidc_grants as g on g.uid = given.uid
  where given.uid is null or g.id is not null
  on conflict (id_hash) do update set payload = excluded.payload, expires_at = excluded.expires_at where $7`;

/**
 * Stores an artifact without the value that clients have. Returns false if its grant has ended, or if it is to be stored only once and was
 * stored before.
 */
export const upsertArtifact = async (
  { $client }: Database,
  key: ArtifactKey,
  { jti: _jti, ...payload }: Payload,
  { seconds, isOnce }: { seconds: number; isOnce: boolean },
): Promise<boolean> => {
  const grant = typeof payload['grantId'] === 'string' ? payload['grantId'] : null;
  const { rowCount } = await $client.query({
    name: 'upsert_oidc_artifact',
    text: upsertText,
    values: [hashOf(key), key.kind, key.networkId, grant, JSON.stringify(payload), seconds, !isOnce],
  });
  return rowCount === 1;
};

/** Marks a code or refresh token as used. Returns false if it was used before, also by a request at the same time. */
export const consumeArtifact = async (db: Queryable, key: ArtifactKey): Promise<boolean> => {
  const consumed = await db
    .update(oidcArtifacts)
    .set({ consumed_at: sql`now()` })
    .where(and(isArtifact(key), isNull(oidcArtifacts.consumed_at)))
    .returning({ kind: oidcArtifacts.kind });
  return consumed.length > 0;
};

export const deleteArtifact = (db: Queryable, key: ArtifactKey) => db.delete(oidcArtifacts).where(isArtifact(key));

/** Stores the outcome of a sign-in with the request that the library keeps. */
export const storeResult = async (db: Queryable, networkId: number, interaction: string, result: object) => {
  await db
    .update(oidcArtifacts)
    .set({ payload: sql`${oidcArtifacts.payload} || ${JSON.stringify({ result })}::jsonb` })
    .where(isArtifact({ networkId, kind: 'Interaction', id: interaction }));
};

export type Grant = { uid: string; clientId: string; accountId: string; expiresAt: number; createdAt: number };

const grantText = `
  select g.uid, site.identity as "clientId", person.uid as "accountId",
    extract(epoch from g.expires_at)::int as "expiresAt", extract(epoch from g.created_at)::int as "createdAt"
  from ${grantTables} where g.uid = $1 and site.network_id = $2 and ${isGrantLive}`;

/** A grant whose tokens work. */
export const findGrant = async ({ $client }: Database, networkId: number, uid: string): Promise<Grant | undefined> => {
  const { rows } = await $client.query<Grant>({ name: 'oidc_grant', text: grantText, values: [uid, networkId] });
  return rows[0];
};

type GrantDraft = { uid: string; siteId: number; userId: number; sessionId: number; isOffline: boolean; days: number };

/**
 * The grant of a session at a site, or a new one that outlives the session. Two tabs of a session share one. Undefined if the session has
 * ended: the row lock waits for a transaction that ends it, so that nobody gets offline access just after the person's sessions were ended.
 */
export const upsertGrant = async ({ $client }: Database, draft: GrantDraft): Promise<string | undefined> => {
  const { rows } = await $client.query<{ uid: string }>({
    name: 'upsert_oidc_grant',
    text: `
      insert into oidc_grants as former (uid, site_id, user_id, session_id, expires_at)
      select $1, $2, user_id, case when $5 then null else id end, now() + make_interval(days => $6)
      from identity_sessions where id = $4 and user_id = $3 for key share
      on conflict (session_id, site_id) do update set expires_at = greatest(former.expires_at, excluded.expires_at)
      returning uid`,
    values: [draft.uid, draft.siteId, draft.userId, draft.sessionId, draft.isOffline, draft.days],
  });
  return rows[0]?.uid;
};

/** Deletes a grant with all of its tokens. */
export const deleteGrant = (db: Queryable, uid: string) => db.delete(oidcGrants).where(eq(oidcGrants.uid, uid));
