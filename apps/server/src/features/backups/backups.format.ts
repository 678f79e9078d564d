import { z } from 'zod';

/** Explains to an operator why a backup cannot be made, read or restored, and what to do. */
export class BackupError extends Error {}

/** Raised when programs of before could not read a file any more. */
export const formatVersion = 1;

/** The entries of the archive, in this order; the tables and files are between them. */
export const entryNames = {
  opening: 'opensocial-sso-backup.json',
  secretKey: 'secret-key',
  manifest: 'manifest.json',
  /** In the form that `sha256sum --check` reads. */
  digest: 'manifest.json.sha256',
};

/** An archive needs the size of an entry before its content. So a table is written in parts, each of which was held in memory. */
export const partSize = 4 * 1024 * 1024;

export const tablePart = (table: string, part: number): string =>
  `tables/${table}/${String(part).padStart(6, '0')}.copy`;
export const mediaEntry = (key: string): string => `media/${key}`;

/** Which table, and which part of it, or which file an entry contains. */
export const parseEntry = (name: string): { table: string; part: number } | { media: string } | undefined => {
  const [, table, part] = /^tables\/(\w+)\/(\d{6})\.copy$/.exec(name) ?? [];
  if (table !== undefined) return { table, part: Number(part) };
  const [, media] = /^media\/(\w+(?:\.\w+)*)$/.exec(name) ?? [];
  return media === undefined ? undefined : { media };
};

/** The first entry, so that foreign and newer files are recognised before they are read. */
export const Opening = z.object({ product: z.literal('opensocial-sso'), format: z.int(), version: z.string() });

const Digest = z.string().regex(/^[0-9a-f]{64}$/);
const Name = z.string().regex(/^\w+$/);
const Count = z.int().min(0);

const TableEntry = z.object({
  name: Name,
  columns: z.array(Name),
  rows: Count,
  parts: Count,
  bytes: Count,
  sha256: Digest,
});
export type TableEntry = z.infer<typeof TableEntry>;

const MediaEntry = z.object({ name: z.string(), bytes: Count, sha256: Digest });
export type MediaEntry = z.infer<typeof MediaEntry>;

/** The last entry but one: a file without it is not complete. */
export const Manifest = z.object({
  format: z.literal(formatVersion),
  /** The version of the program that made the backup. */
  version: z.string(),
  created_at: z.iso.datetime(),
  /** The version of PostgreSQL, for information. */
  postgres: z.string(),
  migrations: z.array(z.string()),
  secret_key: z.object({
    /** The ids of the keys that values in the tables are encrypted with. */
    needed: z.array(z.string()),
    /** The checksum of the key file, if the backup contains it. */
    sha256: Digest.nullable(),
  }),
  /** The first days of the months that have a partition of the login log. */
  log_months: z.array(z.iso.date()),
  sequences: z.array(z.object({ name: Name, last_value: z.string().regex(/^\d+$/), is_called: z.boolean() })),
  tables: z.array(TableEntry),
  media: z.array(MediaEntry),
  /** Files that rows name and that were not in the storage. */
  missing_media: z.array(z.string()),
  /** Mails that were queued. They are not part of the backup. */
  waiting_mails: Count,
});
export type Manifest = z.infer<typeof Manifest>;
