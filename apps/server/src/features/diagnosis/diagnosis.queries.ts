import { ApiError, type ShownErrorPage } from '@opensocial/contract';
import { and, desc, eq, gt, inArray, max, not, sql } from 'drizzle-orm';
import { nested, type Queryable } from '../../database/connect.ts';
import {
  errorReferences,
  groupSites,
  groupUsers,
  loginLog,
  memberships,
  oidcSecrets,
  siteExchanges,
  sites,
  unknownArrivals,
  users,
} from '../../database/schema.ts';

const isInGroup = nested<boolean>(sql`not exists (select 1 from ${groupSites} where ${groupSites.site_id} = ${sites.id})
  or exists (select 1 from ${groupSites} join ${groupUsers} on ${groupUsers.group_id} = ${groupSites.group_id}
    where ${groupSites.site_id} = ${sites.id} and ${groupUsers.user_id} = ${users.id})`);

/**
 * The exchanges of a site, the newest first, each with the person who signed in. The person comes from the membership in the network of
 * the site, so that owners do not read the names of people who have left the network.
 */
export const findExchanges = (db: Queryable, siteId: number) =>
  db
    .select({
      exchange: siteExchanges,
      person: { id: users.id, fullname: users.fullname, email: users.email },
      isInGroup,
      isBlocked: sql<boolean>`coalesce(${memberships.status} <> 'Confirmed' or ${memberships.user_mode} <> 'Active', false)`,
    })
    .from(siteExchanges)
    .innerJoin(sites, eq(sites.id, siteExchanges.site_id))
    .leftJoin(
      memberships,
      and(eq(memberships.user_id, siteExchanges.user_id), eq(memberships.network_id, sites.network_id)),
    )
    .leftJoin(users, eq(users.id, memberships.user_id))
    .where(eq(siteExchanges.site_id, siteId))
    .orderBy(desc(siteExchanges.last_at), desc(siteExchanges.id));

export type FoundExchange = Awaited<ReturnType<typeof findExchanges>>[number];

/** How often requests of a site and calls to the token endpoint were refused. Decisions about people are in the login log. */
export const sumRefusedRequests = async (db: Queryable, siteId: number) => {
  const [found] = await db
    .select({
      total: sql`coalesce(sum(${siteExchanges.times}), 0)`.mapWith(Number),
      lastAt: max(siteExchanges.last_at),
    })
    .from(siteExchanges)
    .where(
      and(
        eq(siteExchanges.site_id, siteId),
        eq(siteExchanges.outcome, 'refused'),
        inArray(siteExchanges.step, ['request', 'token']),
        gt(siteExchanges.last_at, sql`now() - interval '7 days'`),
      ),
    );
  return found ?? { total: 0, lastAt: null };
};

export const findSecretHints = async (db: Queryable, siteId: number): Promise<string[]> => {
  const found = await db.select({ hint: oidcSecrets.hint }).from(oidcSecrets).where(eq(oidcSecrets.site_id, siteId));
  return found.map(({ hint }) => hint);
};

export const getSite = async (db: Queryable, siteId: number) => {
  const [site] = await db.select().from(sites).where(eq(sites.id, siteId));
  if (!site) throw new ApiError('not_found');
  return site;
};

/** Sets the column directly instead of by `changeSite`, because watching a site is not a change for the audit log. */
export const watch = (db: Queryable, siteId: number) =>
  db.update(sites).set({ watched_until: sql`now() + interval '10 minutes'` }).where(eq(sites.id, siteId));

/** Applications that were registered since their last request are left out. A client of OpenID Connect gets another id than it had. */
const isRegistered = sql`exists (select 1 from ${sites} where ${sites.network_id} = ${unknownArrivals.network_id}
  and ${sites.protocol} = ${unknownArrivals.protocol}
  and case ${sites.protocol} when 'saml' then ${sites.identity} = ${unknownArrivals.identity}
    else ${sites.oidc} -> 'redirect_uris' ? ${unknownArrivals.address} end)`;

export const findArrivals = (db: Queryable, networkId: number) =>
  db
    .select()
    .from(unknownArrivals)
    .where(and(eq(unknownArrivals.network_id, networkId), not(isRegistered)))
    .orderBy(desc(unknownArrivals.last_at), desc(unknownArrivals.id));

export const deleteArrival = async (db: Queryable, networkId: number, id: number): Promise<boolean> => {
  const deleted = await db
    .delete(unknownArrivals)
    .where(and(eq(unknownArrivals.id, id), eq(unknownArrivals.network_id, networkId)))
    .returning({ id: unknownArrivals.id });
  return deleted.length > 0;
};

/**
 * The error page with a number in a network. The person comes from the membership in this network. The line of the log is read by its id, and
 * must be of this network too.
 */
export const findErrorPage = async (
  db: Queryable,
  networkId: number,
  reference: string,
): Promise<ShownErrorPage | undefined> => {
  const [found] = await db
    .select({
      page: errorReferences,
      site: { id: sites.id, name: sites.site_name, domain: sites.domain, kind: sites.kind },
      person: { id: users.id, name: users.fullname, email: users.email },
      line: { id: loginLog.id, reason: loginLog.reason },
    })
    .from(errorReferences)
    .leftJoin(sites, and(eq(sites.id, errorReferences.site_id), eq(sites.network_id, networkId)))
    .leftJoin(memberships, and(eq(memberships.user_id, errorReferences.user_id), eq(memberships.network_id, networkId)))
    .leftJoin(users, eq(users.id, memberships.user_id))
    .leftJoin(loginLog, and(eq(loginLog.id, errorReferences.line_id), eq(loginLog.network_id, networkId)))
    .where(and(eq(errorReferences.network_id, networkId), eq(errorReferences.reference, reference)));
  if (!found) return undefined;
  const { page, site, person, line } = found;
  return {
    reference: page.reference,
    at: page.at.toISOString(),
    title: page.title,
    message: page.message,
    site: site && { id: site.id, name: site.name, domain: site.domain, is_console: site.kind === 'console' },
    person,
    line,
  };
};
