import { and, asc, eq, isNotNull, isNull, type SQL } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { sites } from '../../database/schema.ts';

const ofNetwork = (networkId: number): SQL | undefined =>
  and(eq(sites.network_id, networkId), eq(sites.kind, 'site'), eq(sites.status, 'Active'));

export const findDesktopSites = (db: Queryable, networkId: number, shown?: SQL) =>
  db
    .select()
    .from(sites)
    .where(and(ofNetwork(networkId), isNotNull(sites.desktop_position), shown))
    .orderBy(asc(sites.desktop_position), asc(sites.id));

export const findAvailableSites = (db: Queryable, networkId: number) =>
  db
    .select({ id: sites.id, domain: sites.domain })
    .from(sites)
    .where(and(ofNetwork(networkId), isNull(sites.desktop_position)))
    .orderBy(asc(sites.domain), asc(sites.id));
