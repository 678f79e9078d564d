import { eq } from 'drizzle-orm';
import type { Queryable } from '../../../database/connect.ts';
import { oidcSecrets, sites } from '../../../database/schema.ts';
import { hashToken } from '../../../secrets/tokens.ts';

/** Whether this is one of the client's secrets. Hashes are compared, so that the time tells nothing about the secret. */
export const hasSecret = async (db: Queryable, clientId: string, given: string): Promise<boolean> => {
  const stored = await db
    .select({ hash: oidcSecrets.secret_hash })
    .from(oidcSecrets)
    .innerJoin(sites, eq(sites.id, oidcSecrets.site_id))
    .where(eq(sites.identity, clientId));
  const hash = hashToken(given);
  return stored.some((secret) => secret.hash.equals(hash));
};
