import type { Database } from '../../database/connect.ts';
import { createGroupReader } from '../../database/group-reader.ts';
import { type Destination, findDestination, findSiteById, findStamp, type Whereto } from './destinations.queries.ts';
import { findIdentities, type Identity, type Presented } from './identity.queries.ts';
import type { SignIn } from './sign-in.queries.ts';

const mostKept = 5_000;

/** Where somebody has come to, and whoever's live session their browser has. */
export type Arrival = { destination: Destination; identity: Identity | undefined };

/**
 * Sites are kept with all that an answer to them needs, and never believed: whichever query is asked anyway, for the session
 * or the sign-in, reads their stamp along, and one that has changed, in whichever process, is read anew.
 */
export const createArrivals = (db: Database) => {
  const kept = new Map<string, Destination>();
  const findIdentity = createGroupReader((presented: Presented[]) => findIdentities(db, presented));

  const keep = (key: string, destination: Destination | undefined): Destination | undefined => {
    kept.delete(key);
    if (!destination) return undefined;
    kept.set(key, destination);
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    return destination;
  };

  return {
    arrive: async (whereto: Whereto, token: string | undefined): Promise<Arrival | undefined> => {
      const identityAt = async ({ site }: Destination) =>
        token === undefined ? undefined : findIdentity({ siteId: site.id, token });
      const key = JSON.stringify(whereto);
      const former = kept.get(key);
      if (former) {
        const identity = await identityAt(former);
        const stamp = identity?.stamp ?? (await findStamp(db, former.site.id));
        if (stamp === former.stamp) return { destination: former, identity };
      }
      const destination = keep(key, await findDestination(db, whereto));
      return destination && { destination, identity: await identityAt(destination) };
    },

    /** The site of a sign-in under way, with whom its stamp was read. */
    siteOf: async ({ site_id }: SignIn, stamp: string): Promise<Destination | undefined> => {
      const key = String(site_id);
      const former = kept.get(key);
      return former?.stamp === stamp ? former : keep(key, await findSiteById(db, site_id));
    },
  };
};
