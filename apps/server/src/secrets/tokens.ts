import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits: a session id, a link in a mail. Only its hash is kept. */
export const newToken = (): string => randomBytes(32).toString('base64url');

export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');

/** A random public id, where an integer would tell how many there are. */
export const newUid = (): string => randomBytes(16).toString('hex');

export const isSame = (left: string, right: string): boolean => timingSafeEqual(hashToken(left), hashToken(right));
