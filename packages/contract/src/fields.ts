import { z } from 'zod';

/** Row ids, which are the `lastid` cursors of the lists too. */
export const Id = z.coerce.number<number | string>().int().min(1).max(Number.MAX_SAFE_INTEGER);

/** Emails compare case-insensitively everywhere, so they are lower-cased where they enter. */
export const Email = z.string().trim().toLowerCase().max(254).email();

export const Flag = z.enum(['Yes', 'No']);

export const Colour = z.string().regex(/^#[0-9a-f]{6}$/i, 'A colour is written as #rrggbb');

export const Url = z.url({ protocol: /^https?$/ }).max(2_000);

/** Words of the paths, which would be read as a part of the address instead of as a network. */
const reservedNames = new Set(
  'all filter image login logout mode new search server site sites start time user'.split(' '),
);

export const NetworkName = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/, 'A name has 2 to 63 lower-case letters, digits and hyphens')
  .refine((name) => !reservedNames.has(name), 'This name is a word of the addresses; choose another');

/** A name in a path is only looked up: whatever is no network answers as an unknown one does. */
export const NamedNetwork = z.string().min(1).max(63);

/** 1,024 bytes are more than anyone types and little enough to hash. */
export const Password = z.string().min(1).max(1_024);
