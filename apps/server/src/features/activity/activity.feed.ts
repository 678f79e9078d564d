import { sql } from 'drizzle-orm';
import type { Parts } from '../../parts.ts';

/** Is told the ids of lines that are new, or were just before it came. */
type Follower = (ids: readonly number[]) => void;

type Watch = { followers: Set<Follower>; seen: Map<number, number>; timer: NodeJS.Timeout | undefined };

export type Feed = { follow: (networkId: number, follower: Follower) => () => void };

const every = 1_000;

/** How long a line may take to be seen after its time: several processes write, and theirs are seen when they commit. */
const overlapSeconds = 30;

/** Lines a question; the rest comes with the next. */
const most = 1_000;

/**
 * Tells of new lines in the networks that somebody follows: one question a second for each, however many follow it, and none
 * while nobody does. The last half minute is read again each time, since lines are not seen in the order of their ids; what
 * was told is remembered.
 */
export const createFeed = ({ db, log }: Pick<Parts, 'db' | 'log'>): Feed => {
  const watches = new Map<number, Watch>();

  const findNew = async (networkId: number, seen: readonly number[]): Promise<number[]> => {
    const { rows } = await db.execute<{ id: string }>(sql`
      select id from login_log
      where network_id = ${networkId} and login_time > now() - make_interval(secs => ${overlapSeconds})
        and not id = any(${sql.param(seen)}::bigint[])
      order by login_time, id limit ${most}`);
    return rows.map(({ id }) => Number(id));
  };

  const look = async (networkId: number, watch: Watch): Promise<void> => {
    const now = Date.now();
    for (const [id, since] of watch.seen) if (now - since > 2 * overlapSeconds * 1_000) watch.seen.delete(id);
    const found = await findNew(networkId, [...watch.seen.keys()]);
    for (const id of found) watch.seen.set(id, now);
    if (found.length > 0) for (const follower of watch.followers) follower(found);
  };

  const goOn = async (networkId: number, watch: Watch): Promise<void> => {
    await look(networkId, watch).catch((error: unknown) => log.warn({ err: error }, 'New lines could not be read.'));
    if (watch.followers.size > 0) watch.timer = setTimeout(() => void goOn(networkId, watch), every).unref();
  };

  const begin = (networkId: number): Watch => {
    const watch: Watch = { followers: new Set(), seen: new Map(), timer: undefined };
    watches.set(networkId, watch);
    watch.timer = setTimeout(() => void goOn(networkId, watch), 0).unref();
    return watch;
  };

  return {
    follow: (networkId, follower) => {
      const watch = watches.get(networkId) ?? begin(networkId);
      watch.followers.add(follower);
      if (watch.seen.size > 0) follower([...watch.seen.keys()]);
      return () => {
        watch.followers.delete(follower);
        if (watch.followers.size > 0) return;
        clearTimeout(watch.timer);
        watches.delete(networkId);
      };
    },
  };
};
