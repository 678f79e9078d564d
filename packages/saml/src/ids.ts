import { randomBytes } from 'node:crypto';

/** An xs:ID may not begin with a digit, hence the underscore. */
export const newSamlId = (): string => `_${randomBytes(20).toString('hex')}`;

const longestId = 256;

export const isSamlId = (value: string): boolean =>
  value.length <= longestId && /^[\p{L}_][\p{L}\p{N}\p{M}._-]*$/u.test(value);
