import type { Database } from '../../../database/connect.ts';
import { createGroupReader } from '../../../database/group-reader.ts';
import { findIdentities, type Identity, type PresentedToken } from '../accounts/identity-sessions.queries.ts';
import type { SignIn } from '../flow/sign-ins.queries.ts';
import {
  type Destination,
  findDestination,
  findSiteById,
  findVersion,
  type SiteLookup,
} from './destinations.queries.ts';

const maximumSites = 5_000;

/** A site, and the browser's session at the identity provider if it is valid there. */
export type ResolvedSite = { destination: Destination; identity: Identity | undefined };

export type SiteCache = {
  resolve: (lookup: SiteLookup, identityToken: string | undefined) => Promise<ResolvedSite | undefined>;
  /** The site of a sign-in. `version` was read in the same query as the sign-in. */
  siteOf: (signIn: SignIn, version: string) => Promise<Destination | undefined>;
};

/**
 * In-process cache of sites with everything that a response to them needs. Every request revalidates the entry by its version, which
 * the query for the session or the sign-in reads as well, so a cached site is never stale, even if another process has changed it.
 */
export const createSiteCache = (db: Database): SiteCache => {
  const cache = new Map<string, Destination>();
  const readerAt = (kind: 'site' | 'console') =>
    createGroupReader((presented: PresentedToken[]) => findIdentities(db, kind, presented));
  const findIdentityAt = { site: readerAt('site'), console: readerAt('console') };

  const store = (key: string, destination: Destination | undefined): Destination | undefined => {
    cache.delete(key);
    if (!destination) return undefined;
    cache.set(key, destination);
    const [oldest] = cache.keys();
    if (cache.size > maximumSites && oldest !== undefined) cache.delete(oldest);
    return destination;
  };

  return {
    resolve: async (lookup, identityToken) => {
      const identityAt = async ({ site }: Destination) =>
        identityToken === undefined ? undefined : findIdentityAt[site.kind]({ siteId: site.id, token: identityToken });
      const key = JSON.stringify(lookup);
      const cached = cache.get(key);
      if (cached) {
        const identity = await identityAt(cached);
        const version = identity?.version ?? (await findVersion(db, cached.site.id));
        if (version === cached.version) return { destination: cached, identity };
      }
      const destination = store(key, await findDestination(db, lookup));
      return destination && { destination, identity: await identityAt(destination) };
    },

    siteOf: async ({ site_id }, version) => {
      const key = String(site_id);
      const cached = cache.get(key);
      return cached?.version === version ? cached : store(key, await findSiteById(db, site_id));
    },
  };
};
