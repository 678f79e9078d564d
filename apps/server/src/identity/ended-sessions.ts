import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../database/connect.ts';
import { identitySessionSites, identitySessions, oidcGrants, sites } from '../database/schema.ts';
import type { Jobs } from '../jobs/jobs.ts';

/** Whether a site has an address for messages between servers: for SOAP, or for the back-channel logout of OpenID Connect. */
export const hasBackChannel = sql<boolean>`(case ${sites.protocol}
  when 'oidc' then ${sites.oidc} ->> 'backchannel_logout_uri' <> ''
  else case ${sites.sls_binding} when 'soap' then ${sites.sls} else ${sites.sls_soap} end is not null end)`;

/**
 * Locks sessions that end, so that they cannot sign in to further sites. A statement of its own: it waits for sign-ins in progress, and
 * only a later statement sees the sites that they have recorded.
 */
export const lockSessions = async (tx: Queryable, ending: SQL | undefined): Promise<void> => {
  await tx
    .select({ id: identitySessions.id })
    .from(identitySessions)
    .where(ending)
    .orderBy(identitySessions.id)
    .for('update');
};

type Extent = {
  /** The sessions end at the sites of this network only, and their rows stay for the other networks. */
  networkId?: number;
  /** The people whose grants for offline access end too. They belong to no session. */
  offlineOf?: readonly number[];
};

/**
 * Ends sessions at the sites, if the sessions end without their browser: queues messages to the sites that have an address for messages
 * between servers, and deletes the OpenID Connect grants, with which all tokens end. Grants of a session are also deleted with its row, so
 * call this before the sessions are deleted.
 */
export const endAtSites = async (
  tx: Queryable,
  jobs: Jobs,
  ending: SQL | undefined,
  { networkId, offlineOf = [] }: Extent = {},
): Promise<void> => {
  await lockSessions(tx, ending);
  const ended = await tx
    .select({
      siteId: identitySessionSites.site_id,
      nameId: identitySessionSites.name_id,
      nameIdFormat: identitySessionSites.name_id_format,
      sessionIndex: identitySessions.session_index,
    })
    .from(identitySessionSites)
    .innerJoin(identitySessions, eq(identitySessions.id, identitySessionSites.session_id))
    .innerJoin(sites, eq(sites.id, identitySessionSites.site_id))
    .where(and(ending, networkId === undefined ? undefined : eq(sites.network_id, networkId), hasBackChannel));
  await jobs.informSites(tx, ended);
  const ofNetwork =
    networkId === undefined
      ? undefined
      : inArray(oidcGrants.site_id, tx.select({ id: sites.id }).from(sites).where(eq(sites.network_id, networkId)));
  const sessions = tx.select({ id: identitySessions.id }).from(identitySessions).where(ending);
  await tx.delete(oidcGrants).where(and(inArray(oidcGrants.session_id, sessions), ofNetwork));
  if (offlineOf.length > 0)
    await tx
      .delete(oidcGrants)
      .where(and(isNull(oidcGrants.session_id), sql`${oidcGrants.user_id} = any(${sql.param(offlineOf)})`, ofNetwork));
};
