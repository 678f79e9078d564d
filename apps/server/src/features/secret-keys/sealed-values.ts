import { type SQL, sql } from 'drizzle-orm';
import { headerLength, headerOf, type Vault } from '../../secrets/encryption.ts';

/** A column with encrypted values, as far as a change of the secret key is concerned. */
export type SealedValues = {
  /** The table and the column. */
  name: string;
  /** What the values are, in the plural. */
  label: string;
  table: SQL;
  id: SQL;
  value: SQL;
  /** The type of an array of values. */
  arrayType: SQL;
  /** The condition that a value is encrypted with a key. */
  isUnder: (keyId: string) => SQL;
  /** The condition that a value has format 1, which does not tell its key. */
  isFormat1: SQL;
  /** Encrypts a value with the current key. Returns undefined if it cannot be decrypted. */
  reseal: (vault: Vault, value: unknown) => Buffer | string | undefined;
  /** The assignment of a new value. */
  assign: (value: SQL) => SQL;
};

/** A column of bytes that `Vault.encrypt` has made. */
const stored = (table: string, column: string, label: string, id = 'id'): SealedValues => {
  const value = sql.identifier(column);
  return {
    name: `${table}.${column}`,
    label,
    table: sql`${sql.identifier(table)}`,
    id: sql`${sql.identifier(id)}`,
    value: sql`${value}`,
    arrayType: sql`bytea[]`,
    isUnder: (keyId) => sql`substring(${value} from 1 for ${sql.raw(String(headerLength))}) = ${headerOf(keyId)}`,
    isFormat1: sql`substring(${value} from 1 for 1) = '\\x01'`,
    reseal: (vault, sealed) => vault.keyIdOf(sealed as Buffer) && vault.encrypt(vault.decrypt(sealed as Buffer)),
    assign: (changed) => sql`${value} = ${changed}`,
  };
};

/**
 * Jobs whose payload `Vault.seal` has made, in base64url: nine bytes of header are exactly twelve characters. A job may
 * wait for about a day. A worker that runs a job has read its payload already.
 */
const queued: SealedValues = {
  name: 'graphile_worker._private_jobs.payload',
  label: 'emails and requests in the queue',
  table: sql`graphile_worker._private_jobs`,
  id: sql`id`,
  value: sql`(payload ->> 'sealed')`,
  arrayType: sql`text[]`,
  isUnder: (keyId) => sql`left(payload ->> 'sealed', 12) = ${headerOf(keyId).toString('base64url')}`,
  isFormat1: sql`payload ->> 'sealed' ~ '^A[Q-Za-f]'`,
  reseal: (vault, sealed) => {
    const value = vault.open(sealed as string);
    return typeof value === 'object' && value !== null ? vault.seal(value) : undefined;
  },
  assign: (changed) => sql`payload = json_build_object('sealed', ${changed})`,
};

/**
 * Everything that has to be encrypted again for a new key. The states of social logins in `sign_ins` and the MACs of
 * mailed codes are not: they expire within half an hour.
 */
export const sealedValues: readonly SealedValues[] = [
  stored('installation', 'console_private_key', 'the signing key of the console'),
  stored('installation', 'name_id_key', 'the key of persistent NameIDs'),
  stored('installation', 'audit_key', 'the key of the audit log'),
  stored('signing_keys', 'private_key', 'signing keys of networks'),
  stored('oidc_keys', 'private_key', 'keys of networks for OpenID Connect'),
  ...['linkedin', 'facebook', 'google', 'twitter', 'github'].map((provider) =>
    stored('network_settings', `${provider}_secret`, `${provider} secrets of networks`, 'network_id'),
  ),
  stored('users', 'totp_secret', 'authenticator apps'),
  stored('pending_totp', 'secret', 'authenticator apps that are being set up', 'user_id'),
  stored('trash_rows', 'sealed', 'authenticator apps in the trash'),
  queued,
];
