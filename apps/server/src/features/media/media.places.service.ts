import { and, eq, gt, ne, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { ConfigError } from '../../config.ts';
import { type Database, isDatabaseAway } from '../../database/connect.ts';
import { mediaPlaces } from '../../database/schema.ts';
import type { StoragePlace } from '../../storage/storage-place.ts';

const reportInterval = 20_000;

/** A place that was not reported for this long is not used by any server. */
const secondsUntilUnused = 60;

/**
 * Refuses to start beside a server that keeps images in another place, because each server would miss the images of the other. Then reports
 * regularly that this place is in use. An orderly stop ends the use at once, so that the place can be changed without waiting.
 */
export const claimMediaPlace = async (
  db: Database,
  own: StoragePlace,
  log: Logger,
): Promise<{ stop: () => Promise<void> }> => {
  await db.transaction(async (tx) => {
    // Servers that start at the same moment wait for each other.
    await tx.execute(sql`lock table ${mediaPlaces} in share row exclusive mode`);
    const [other] = await tx
      .select({ description: mediaPlaces.description })
      .from(mediaPlaces)
      .where(
        and(
          ne(mediaPlaces.place, own.place),
          gt(mediaPlaces.last_used_at, sql`now() - make_interval(secs => ${secondsUntilUnused})`),
        ),
      );
    if (other) throw new ConfigError(describeConflict(own, other));
    await tx.delete(mediaPlaces).where(ne(mediaPlaces.place, own.place));
    await reportUse(tx, own);
  });
  const report = () =>
    reportUse(db, own).catch((error: unknown) => {
      if (!isDatabaseAway(error)) log.error({ err: error }, 'The place of the images could not be reported.');
    });
  let reporting: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    reporting = report();
  }, reportInterval).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await reporting;
      // Another server with the same place reports it again.
      await db
        .delete(mediaPlaces)
        .where(eq(mediaPlaces.place, own.place))
        .catch(() => undefined);
    },
  };
};

const reportUse = (db: Pick<Database, 'insert'>, own: StoragePlace) =>
  db
    .insert(mediaPlaces)
    .values(own)
    .onConflictDoUpdate({ target: mediaPlaces.place, set: { ...own, last_used_at: sql`now()` } });

const describeConflict = (own: StoragePlace, other: Pick<StoragePlace, 'description'>): string =>
  [
    `MEDIA_URL: another server uses this database and keeps images in ${other.description}.`,
    `This one would keep them in ${own.description}, and each would miss the images of the other.`,
    'Set MEDIA_URL to the same bucket on all servers.',
    `If no other server runs, one was killed: start again in a minute.`,
  ].join(' ');
