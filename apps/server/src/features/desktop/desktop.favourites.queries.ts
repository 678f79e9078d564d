import { and, asc, desc, eq, type SQL } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { desktopFavourites, sites, siteVisits } from '../../database/schema.ts';

/** The favourites of a person among the sites that meet a condition, the oldest first. */
export const findFavourites = (db: Queryable, userId: number, isListed: SQL | undefined) =>
  db
    .select({ id: sites.id })
    .from(desktopFavourites)
    .innerJoin(sites, eq(sites.id, desktopFavourites.site_id))
    .where(and(eq(desktopFavourites.user_id, userId), isListed))
    .orderBy(asc(desktopFavourites.created_at), asc(sites.id));

/** The sites that a person visited last, the newest first. The primary key of the visits begins with the person. */
export const findRecent = (db: Queryable, userId: number, isListed: SQL | undefined, most: number) =>
  db
    .select({ id: sites.id })
    .from(siteVisits)
    .innerJoin(sites, eq(sites.id, siteVisits.site_id))
    .where(and(eq(siteVisits.user_id, userId), isListed))
    .orderBy(desc(siteVisits.last_at), asc(sites.id))
    .limit(most);

/** A site that is a favourite already keeps its place. */
export const insertFavourite = (tx: Queryable, userId: number, siteId: number) =>
  tx.insert(desktopFavourites).values({ user_id: userId, site_id: siteId }).onConflictDoNothing();

export const deleteFavourite = (tx: Queryable, userId: number, siteId: number) =>
  tx.delete(desktopFavourites).where(and(eq(desktopFavourites.user_id, userId), eq(desktopFavourites.site_id, siteId)));
