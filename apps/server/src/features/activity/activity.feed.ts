import { sql } from 'drizzle-orm';
import type { Parts } from '../../parts.ts';

/** Receives the ids of new lines, and of recent ones when it begins to follow. */
type Follower = (ids: readonly number[]) => void;

type Watch = { followers: Set<Follower>; seen: Map<number, number>; timer: NodeJS.Timeout | undefined };

export type Feed = { follow: (networkId: number, follower: Follower) => () => void };

const pollInterval = 1_000;

/**
 * How long a line may take to become visible: several processes write, and their lines are visible after the commit.
 */
const overlapSeconds = 30;

/** Lines per query; the rest follows with the next one. */
const maximumLines = 1_000;

/**
 * Reports new lines to the followers of a network: one query per second and network, however many followers it has, and
 * none without followers. Each query reads the last 30 seconds again, because lines do not become visible in the order
 * of their ids; reported ids are remembered.
 */
export const createFeed = ({ db, log }: Pick<Parts, 'db' | 'log'>): Feed => {
  const watches = new Map<number, Watch>();

  const findNew = async (networkId: number, seen: readonly number[]): Promise<number[]> => {
    const { rows } = await db.execute<{ id: string }>(sql`
      select id from login_log
      where network_id = ${networkId} and login_time > now() - make_interval(secs => ${overlapSeconds})
        and not id = any(${sql.param(seen)}::bigint[])
      order by login_time, id limit ${maximumLines}`);
    return rows.map(({ id }) => Number(id));
  };

  const findAndReport = async (networkId: number, watch: Watch): Promise<void> => {
    const now = performance.now();
    for (const [id, since] of watch.seen) if (now - since > 2 * overlapSeconds * 1_000) watch.seen.delete(id);
    const found = await findNew(networkId, [...watch.seen.keys()]);
    for (const id of found) watch.seen.set(id, now);
    if (found.length > 0) for (const follower of watch.followers) follower(found);
  };

  const poll = async (networkId: number, watch: Watch): Promise<void> => {
    await findAndReport(networkId, watch).catch((error: unknown) =>
      log.warn({ err: error }, 'New lines of the login log could not be read.'),
    );
    if (watch.followers.size > 0) watch.timer = setTimeout(() => void poll(networkId, watch), pollInterval).unref();
  };

  const watchNetwork = (networkId: number): Watch => {
    const watch: Watch = { followers: new Set(), seen: new Map(), timer: undefined };
    watches.set(networkId, watch);
    watch.timer = setTimeout(() => void poll(networkId, watch), 0).unref();
    return watch;
  };

  return {
    follow: (networkId, follower) => {
      const watch = watches.get(networkId) ?? watchNetwork(networkId);
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
