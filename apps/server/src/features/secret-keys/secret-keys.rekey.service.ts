import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { ConfigError } from '../../config.ts';
import type { Connection, Database, Transaction } from '../../database/connect.ts';
import type { Vault } from '../../secrets/encryption.ts';
import { type SealedValues, sealedValues } from './sealed-values.ts';
import {
  countSealed,
  findKeysInUse,
  findSecretKeys,
  lockNextSealed,
  needs,
  type ResealedRow,
  type StoredKey,
  updateSealed,
} from './secret-keys.queries.ts';
import { type Retirement, retireKey, secondsUntilUnused } from './secret-keys.service.ts';

/** The number of rows per transaction. It is small, because a transaction locks its rows until it ends. */
const batchSize = 200;

/** A pass may leave rows that others have locked, or values that a server has written meanwhile with an earlier key. */
const maximumPasses = 20;

/** Milliseconds between two lines of progress. */
const reportInterval = 1_000;

/** Advisory lock that keeps two commands from encrypting at the same time. The number is arbitrary. */
const lock = 7_350_023;

type Report = (line: string) => void;
export type RekeyOptions = { report: Report; unusedFor?: number };

/**
 * Encrypts all values with the current key, and takes the other keys off the list. It can be killed at any time: each
 * batch is a transaction of its own, and values that are done are not selected again. Returns whether only the current
 * key is left.
 */
export const rekey = (connection: Connection, vault: Vault, options: RekeyOptions): Promise<boolean> =>
  withRekeyLock(connection, async () => {
    const { db } = connection;
    const former = await findFormer(db, vault);
    if (former.length === 0) {
      options.report(
        `All values are encrypted with the key ${vault.keyIds[0]}, the first of SECRET_KEYS. There is nothing to do.`,
      );
      return true;
    }
    if (!(await isOtherKeyUnused(db, vault, options))) return false;
    const damaged = await resealAll(db, vault, options.report);
    const retired = await Promise.all(former.map(({ key_id }) => retire(db, key_id, options)));
    const isDone = retired.every((each) => each === 'retired');
    if (damaged.length > 0) options.report(`These values cannot be decrypted: ${damaged.join('; ')}.`);
    return isDone;
  });

/**
 * Whether all servers encrypt with the current key. Others may not know it, and could not read what this command
 * encrypts. A recent report of another key may come from a server that was just restarted, so it is checked again.
 */
const isOtherKeyUnused = async (db: Database, { keyIds }: Vault, options: RekeyOptions): Promise<boolean> => {
  const { report, unusedFor = secondsUntilUnused } = options;
  const find = () => findKeysInUse(db, keyIds[0], unusedFor);
  if ((await find()).length === 0) return true;
  report(`A server has encrypted with another key within the last ${unusedFor} seconds. Waiting for it to stop…`);
  await delay((unusedFor + 1) * 1_000);
  const inUse = await find();
  inUse.forEach((keyId) => report(retirementTexts['in use'](keyId)));
  return inUse.length === 0;
};

const findFormer = async (db: Database, { keyIds }: Vault): Promise<StoredKey[]> =>
  (await findSecretKeys(db)).filter(({ key_id }) => key_id !== keyIds[0]);

/** Runs `work` under an advisory lock of the database, so that only one command encrypts at a time. */
const withRekeyLock = async <T>({ pool }: Connection, work: () => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  try {
    const take = async () =>
      (await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${lock}) as taken`)).rows[0]?.taken === true;
    // PostgreSQL may notice some moments later that a command was killed.
    if (!(await take())) {
      await delay(3_000);
      if (!(await take())) throw new ConfigError('Another `npm run rekey` is running on this database.');
    }
    return await work();
  } finally {
    // Closing the connection ends its lock.
    client.release(true);
  }
};

/** Repeats passes until nothing is left that can be decrypted. Returns what cannot. */
const resealAll = async (db: Database, vault: Vault, report: Report): Promise<string[]> => {
  for (let pass = 1; ; pass += 1) {
    const damaged: string[] = [];
    let left = 0;
    for (const values of sealedValues) {
      const found = await resealColumn(db, vault, values, report);
      if (found.length > 0) damaged.push(`${values.name} of ${found.slice(0, 10).join(', ')}`);
      left += (await countOthers(db, vault, values)) - found.length;
    }
    if (left <= 0 || pass === maximumPasses) return damaged;
    report(`${left} left, which were locked or written meanwhile.`);
    await delay(1_000);
  }
};

const countOthers = (db: Database, { keyIds }: Vault, values: SealedValues): Promise<number> =>
  countSealed(db, values, sql`not (${values.isUnder(keyIds[0])})`);

/** Encrypts the values of one column. Returns the ids of rows whose value cannot be decrypted. */
const resealColumn = async (db: Database, vault: Vault, values: SealedValues, report: Report): Promise<string[]> => {
  const total = await countOthers(db, vault, values);
  if (total === 0) return [];
  const damaged: string[] = [];
  let done = 0;
  let reportedAt = Number.NEGATIVE_INFINITY;
  for (let after: string | undefined = '0'; after !== undefined; ) {
    const from: string = after;
    const batch = await db.transaction((tx) => resealBatch(tx, vault, values, from));
    done += batch.done;
    damaged.push(...batch.damaged);
    after = batch.last;
    if (after !== undefined && performance.now() - reportedAt < reportInterval) continue;
    report(`${values.label}: ${done} encrypted, ${Math.max(0, total - done)} left`);
    reportedAt = performance.now();
  }
  return damaged;
};

type Batch = { done: number; damaged: string[]; last: string | undefined };

const resealBatch = async (tx: Transaction, vault: Vault, values: SealedValues, after: string): Promise<Batch> => {
  const rows = await lockNextSealed(tx, values, { keyId: vault.keyIds[0], after, limit: batchSize });
  const resealed = rows.map(({ row_id, value }) => ({ row_id, from: value, to: values.reseal(vault, value) }));
  const changes = resealed.filter((row): row is ResealedRow => row.to !== undefined);
  return {
    done: changes.length === 0 ? 0 : await updateSealed(tx, values, changes),
    damaged: resealed.filter(({ to }) => to === undefined).map(({ row_id }) => row_id),
    last: rows.length < batchSize ? undefined : rows.at(-1)?.row_id,
  };
};

/** Takes a key off the list. */
const retire = async (db: Database, keyId: string, { report, unusedFor }: RekeyOptions): Promise<Retirement> => {
  const result = await db.transaction((tx) => retireKey(tx, keyId, unusedFor));
  report(retirementTexts[result](keyId));
  return result;
};

const retirementTexts: Record<Retirement, (keyId: string) => string> = {
  retired: (keyId) =>
    `No value in the database needs the key ${keyId} any more. It can be removed from SECRET_KEYS: at once if it has leaked, otherwise after 30 minutes, so that sign-ins in progress can finish, or after the number of days for which your networks remember browsers (90 at most), so that none is forgotten.`,
  'in use': (keyId) =>
    `A server still encrypts with the key ${keyId}. Restart all servers with the new key as the first of SECRET_KEYS, then run this command again.`,
  needed: (keyId) => `Values in the database still need the key ${keyId}. Keep it, and run this command again.`,
};

/** How many values each key has encrypted, for every listed key. */
export const describeKeys = async (db: Database, vault: Vault): Promise<string[]> => {
  const lines: string[] = [];
  for (const key of await findSecretKeys(db)) {
    lines.push(`${key.key_id}${key.key_id === vault.keyIds[0] ? ' (current)' : ''}`);
    for (const values of sealedValues) {
      const count = await countSealed(db, values, needs(values, key));
      if (count > 0) lines.push(`  ${count} ${values.label}`);
    }
  }
  const unlisted = vault.keyIds.filter((id) => !lines.some((line) => line.startsWith(id)));
  return [...lines, ...unlisted.map((id) => `${id}: nothing is encrypted with this key`)];
};
