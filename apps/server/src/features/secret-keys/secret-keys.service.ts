import type { Logger } from 'pino';
import { ConfigError } from '../../config.ts';
import { type Database, isDatabaseAway, type Queryable, type Transaction } from '../../database/connect.ts';
import type { Parts } from '../../parts.ts';
import type { SealedFormat, Vault } from '../../secrets/encryption.ts';
import { secretKeyFile } from '../../secrets/secret-keys.ts';
import { sealedValues } from './sealed-values.ts';
import {
  countSealed,
  deleteSecretKey,
  ensureSecretKey,
  findSecretKeys,
  insertFirstKey,
  isInstalled,
  lockSecretKey,
  needs,
  type StoredKey,
  touchSecretKey,
} from './secret-keys.queries.ts';

export { sealedValues } from './sealed-values.ts';

/** How often servers report that they encrypt with their key. */
const reportInterval = 20_000;

/** A key that was not reported for this long is not used by any server. */
export const secondsUntilUnused = 60;

const wrongKey = 'SECRET_KEY: this is not the key that the database was made with. Restore the original key.';

/**
 * The format for new values. Servers of the version before key ids read only format 1, and run beside new ones during an
 * upgrade. So an upgraded installation keeps writing it until a second key is configured.
 */
export const formatFor = async (db: Queryable, secrets: readonly string[]): Promise<SealedFormat> => {
  if (secrets.length > 1) return 2;
  const [first, ...others] = await findSecretKeys(db);
  const isUpgraded = first ? first.seals_format_1 && others.length === 0 : await isInstalled(db);
  return isUpgraded ? 1 : 2;
};

/**
 * Checks at the start that every key is configured that values in the database need, and lists the current key. The
 * caller holds the lock of the installation. `consoleKey` is the encrypted key of the console, if there is one.
 */
export const checkSecretKeys = async (
  tx: Transaction,
  { vault, config }: Pick<Parts, 'vault' | 'config'>,
  consoleKey: Buffer | null,
): Promise<void> => {
  const listed = await findSecretKeys(tx);
  if (listed.length === 0 && consoleKey) {
    const first = vault.keyIdOf(consoleKey);
    if (first === undefined) throw new ConfigError(wrongKey);
    await insertFirstKey(tx, first);
  }
  for (const key of listed.filter(({ key_id }) => !vault.keyIds.includes(key_id)))
    if ((await retireKey(tx, key.key_id)) !== 'retired') throw await missingKey(tx, { vault, config }, key);
  await ensureSecretKey(tx, vault.keyIds[0]);
};

export type Retirement = 'retired' | 'needed' | 'in use';

/**
 * Removes a key from the list, unless a value needs it or a server still encrypts with it. The lock waits for
 * transactions that have written a value with this key, and keeps further ones out.
 */
export const retireKey = async (
  tx: Transaction,
  keyId: string,
  unusedFor: number = secondsUntilUnused,
): Promise<Retirement> => {
  const found = await lockSecretKey(tx, keyId);
  if (!found) return 'retired';
  if (found.secondsUnused < unusedFor) return 'in use';
  for (const values of sealedValues)
    if ((await countSealed(tx, values, needs(values, found.key), 1)) > 0) return 'needed';
  await deleteSecretKey(tx, keyId);
  return 'retired';
};

/** The ids of the keys that values in some columns (`table.column`) are encrypted with. */
export const findNeededKeys = async (db: Queryable, isConcerned: (column: string) => boolean): Promise<string[]> => {
  const needed: string[] = [];
  for (const key of await findSecretKeys(db))
    for (const values of sealedValues.filter(({ name }) => isConcerned(name)))
      if (!needed.includes(key.key_id) && (await countSealed(db, values, needs(values, key), 1)) > 0)
        needed.push(key.key_id);
  return needed;
};

const countLimit = 1_000;

/** What needs a key, such as 'authenticator apps (12)'. */
const describeNeeds = async (db: Queryable, key: StoredKey): Promise<string> => {
  const needed: string[] = [];
  for (const values of sealedValues) {
    const count = await countSealed(db, values, needs(values, key), countLimit + 1);
    const number = count > countLimit ? `more than ${countLimit.toLocaleString('en')}` : count.toLocaleString('en');
    if (count > 0) needed.push(`${values.label} (${number})`);
  }
  return needed.length > 0 ? `These values in the database need it: ${needed.join(', ')}.` : 'A server uses it now.';
};

const missingKey = async (
  tx: Transaction,
  { vault, config }: Pick<Parts, 'vault' | 'config'>,
  key: StoredKey,
): Promise<ConfigError> =>
  new ConfigError(
    [
      `SECRET_KEY: the key ${key.key_id} is missing; configured: ${vault.keyIds.join(', ')}.`,
      ...(config.secretKeys.length === 0 && config.databaseUrl
        ? [
            `SECRET_KEY is not set, so the key is that of the file ${secretKeyFile(config.dataDir)}. Several servers on one database need the same SECRET_KEY.`,
          ]
        : []),
      await describeNeeds(tx, key),
      'Restore it. To replace it, list both, SECRET_KEYS=new,old, until `npm run rekey` has finished.',
    ].join(' '),
  );

/**
 * Reports regularly that this server encrypts with its current key, so that `npm run rekey` does not remove the key from
 * the list meanwhile.
 */
export const reportKeyUse = async (db: Database, vault: Vault, log: Logger): Promise<{ stop: () => void }> => {
  const [keyId] = vault.keyIds;
  const report = async () => {
    try {
      if (!(await touchSecretKey(db, keyId)))
        log.error({ keyId }, 'The secret key was replaced. Restart this server with the SECRET_KEYS of the others.');
    } catch (error) {
      if (!isDatabaseAway(error)) log.error({ err: error }, 'The use of the secret key could not be reported.');
    }
  };
  await report();
  const timer = setInterval(() => void report(), reportInterval).unref();
  return { stop: () => clearInterval(timer) };
};
