import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits, for session ids and for binding a sign-in to its browser. Only the hash is stored. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** 240 random bits in 40 characters (§9), for links in mails. */
export const newLinkToken = (): string => randomBytes(30).toString('base64url');

export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');

/** A random public id; a sequential one would reveal how many records there are. */
export const newUid = (): string => randomBytes(16).toString('hex');

export const isSame = (left: string, right: string): boolean => timingSafeEqual(hashToken(left), hashToken(right));
