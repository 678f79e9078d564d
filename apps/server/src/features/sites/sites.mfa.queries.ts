import { and, count, eq, sql } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { sites, users } from '../../database/schema.ts';
import { hasNoFactor } from '../settings/settings.service.ts';
import { allowsUser } from './sites.visibility.ts';

/** How many active accounts whose home is the network of a site may enter it, and how many of them have no second factor. */
export const countFactors = async (
  db: Queryable,
  siteId: number,
): Promise<{ people: number; without_factor: number }> => {
  const [counted] = await db
    .select({ people: count(), without_factor: sql<number>`count(*) filter (where ${hasNoFactor})`.mapWith(Number) })
    .from(sites)
    .innerJoin(users, eq(users.home_network_id, sites.network_id))
    .where(
      and(eq(sites.id, siteId), eq(users.status, 'Confirmed'), eq(users.user_mode, 'Active'), allowsUser(users.id)),
    );
  return counted ?? { people: 0, without_factor: 0 };
};
