import type { Database } from '../../database/connect.ts';
import {
  type Destination,
  findDestination,
  findIdentity,
  type Identity,
  prepareArrival,
  type Whereto,
} from './sign-in.queries.ts';

const mostKept = 5_000;

/** Where somebody has come to, and whoever's live session their browser has. */
export type Arrival = { destination: Destination; identity: Identity | undefined };

export type Arrive = (whereto: Whereto, token: string | undefined) => Promise<Arrival | undefined>;

/**
 * Sites are kept with all that an answer to them needs, and never believed: the query that reads the session reads their
 * stamp along, and one that has changed, in whichever process, is read anew. So a live session costs one question.
 */
export const createArrivals = (db: Database): Arrive => {
  const kept = new Map<string, Destination>();
  const ask = prepareArrival(db);

  const arriveAtKept = async (destination: Destination | undefined, token: string): Promise<Arrival | undefined> => {
    const found = destination && (await ask(destination.site.id, token));
    return found && found.stamp === destination.stamp ? { destination, identity: found } : undefined;
  };

  return async (whereto, token) => {
    const key = JSON.stringify(whereto);
    const arrival = token === undefined ? undefined : await arriveAtKept(kept.get(key), token);
    if (arrival) return arrival;
    kept.delete(key);
    const destination = await findDestination(db, whereto);
    if (!destination) return undefined;
    kept.set(key, destination);
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    return { destination, identity: token === undefined ? undefined : await findIdentity(db, destination, token) };
  };
};
