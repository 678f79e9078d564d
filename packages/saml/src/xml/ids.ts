import { randomFillSync } from 'node:crypto';

const idBytes = 20;
/** Random bytes for many ids at a time: most of what asking for them costs does not depend on how many they are. */
const pool = Buffer.alloc(idBytes * 64);
let used = pool.length;

/** An xs:ID may not begin with a digit, hence the underscore. */
export const newSamlId = (): string => {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += idBytes;
  return `_${pool.toString('hex', used - idBytes, used)}`;
};

const longestId = 256;

export const isSamlId = (value: string): boolean =>
  value.length <= longestId && /^[\p{L}_][\p{L}\p{N}\p{M}._-]*$/u.test(value);
