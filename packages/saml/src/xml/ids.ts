import { randomFillSync } from 'node:crypto';

const idBytes = 20;
/**
 * Buffered random bytes for 64 ids: the cost of a call to the random generator hardly depends on the number of bytes.
 */
const pool = Buffer.alloc(idBytes * 64);
let used = pool.length;

/** An xs:ID must not begin with a digit, hence the underscore. */
export const newSamlId = (): string => {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += idBytes;
  return `_${pool.toString('hex', used - idBytes, used)}`;
};

const maximumIdLength = 256;

export const isSamlId = (value: string): boolean =>
  value.length <= maximumIdLength && /^[\p{L}_][\p{L}\p{N}\p{M}._-]*$/u.test(value);
