import { and, count, desc, eq, or, sql } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { groupSites, loginLog, signingKeys } from '../../database/schema.ts';
import type { SiteRecord } from './sites.queries.ts';

export const countGroups = async (db: Queryable, siteId: number): Promise<number> => {
  const [found] = await db.select({ groups: count() }).from(groupSites).where(eq(groupSites.site_id, siteId));
  return found?.groups ?? 0;
};

/** How many lines of the log are searched. A site under attack may have millions of failures after its last success. */
const searchedLines = 500;

/** The last success and the last failure among the most recent sign-ins at a site. */
export const findLastSignIns = (db: Queryable, siteId: number) => {
  const recent = db
    .select({ status: loginLog.login_status, reason: loginLog.reason, at: loginLog.login_time, id: loginLog.id })
    .from(loginLog)
    .where(eq(loginLog.site_id, siteId))
    .orderBy(desc(loginLog.login_time), desc(loginLog.id))
    .limit(searchedLines)
    .as('recent');
  return db
    .selectDistinctOn([recent.status], { status: recent.status, reason: recent.reason, at: recent.at })
    .from(recent)
    .orderBy(recent.status, desc(recent.at), desc(recent.id));
};

/** The certificate of the key that signs the responses to a site: its own, otherwise the current one of the network. */
export const findSigningCertificate = async (
  db: Queryable,
  { network_id, signing_key_id }: Pick<SiteRecord, 'network_id' | 'signing_key_id'>,
): Promise<string> => {
  const isOwn = sql`${signingKeys.id} = ${signing_key_id}`;
  const [key] = await db
    .select({ certificate: signingKeys.certificate })
    .from(signingKeys)
    .where(and(eq(signingKeys.network_id, network_id), or(isOwn, eq(signingKeys.state, 'current'))))
    .orderBy(desc(sql`coalesce(${isOwn}, false)`))
    .limit(1);
  return key?.certificate ?? '';
};
