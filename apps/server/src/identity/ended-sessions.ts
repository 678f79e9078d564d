import { and, eq, isNotNull, or, type SQL } from 'drizzle-orm';
import type { Queryable } from '../database/connect.ts';
import { identitySessionSites, identitySessions, sites } from '../database/schema.ts';
import type { Jobs } from '../jobs/jobs.ts';

/**
 * Queues messages to the sites of sessions that end without their browser, as far as the sites have an address for messages between
 * servers. Call it before the sessions are deleted: the row locks keep them from signing in to further sites meanwhile.
 */
export const informSitesOf = async (tx: Queryable, jobs: Jobs, ending: SQL | undefined): Promise<void> => {
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
    .where(and(ending, or(eq(sites.sls_binding, 'soap'), isNotNull(sites.sls_soap))))
    .for('update', { of: identitySessions });
  await jobs.informSites(tx, ended);
};
