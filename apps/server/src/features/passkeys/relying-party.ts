import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { decodeClientDataJSON } from '@simplewebauthn/server/helpers';
import type { Config } from '../../config.ts';

/** Whom passkeys are bound to: our host, and no page but ours. */
type RelyingParty = { id: string; origin: string };

/** Browsers know passkeys only by https or on this machine itself, and only for a name. */
export const relyingParty = ({
  publicUrl,
  isHttps,
}: Pick<Config, 'publicUrl' | 'isHttps'>): RelyingParty | undefined => {
  const { hostname } = new URL(publicUrl);
  const isOwnMachine = hostname === 'localhost' || hostname.endsWith('.localhost');
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[');
  return isOwnMachine || (isHttps && !isAddress) ? { id: hostname, origin: publicUrl } : undefined;
};

/** How long a browser waits for its user. */
export const millisecondsToAnswer = 5 * 60_000;

export const newChallenge = (): Buffer => randomBytes(32);

/** None of our pages is ever framed: an answer that was made in a frame was made to deceive. */
export const assertNotFramed = (clientDataJSON: string): void => {
  const { crossOrigin, topOrigin } = decodeClientDataJSON(clientDataJSON);
  if (crossOrigin || topOrigin !== undefined) throw new Error('The answer was made in a frame.');
};

/** The library takes arrays over memory of their own. */
export const toBytes = (buffer: Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(buffer);
