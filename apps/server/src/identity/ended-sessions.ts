import { and, eq, isNotNull, or, type SQL } from 'drizzle-orm';
import type { Queryable } from '../database/connect.ts';
import { identitySessionSites, identitySessions, sites } from '../database/schema.ts';
import type { Jobs } from '../jobs/jobs.ts';

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

/**
 * Queues messages to the sites of sessions that end without their browser, as far as the sites have an address for messages between
 * servers. Call it before the sessions are deleted. `networkId`: they end in one network only.
 */
export const informSitesOf = async (
  tx: Queryable,
  jobs: Jobs,
  ending: SQL | undefined,
  networkId?: number,
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
    .where(
      and(
        ending,
        networkId === undefined ? undefined : eq(sites.network_id, networkId),
        or(eq(sites.sls_binding, 'soap'), isNotNull(sites.sls_soap)),
      ),
    );
  await jobs.informSites(tx, ended);
};
