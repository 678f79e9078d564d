import { eq } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { sites } from '../../database/schema.ts';

export const findTestedSite = async (db: Queryable, id: number) => {
  const [site] = await db
    .select({
      protocol: sites.protocol,
      signs: sites.signs,
      site_name: sites.site_name,
      domain: sites.domain,
      login_url: sites.login_url,
    })
    .from(sites)
    .where(eq(sites.id, id));
  return site;
};
