import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { decodeClientDataJSON } from '@simplewebauthn/server/helpers';
import type { Config } from '../../config.ts';

/** The WebAuthn relying party: our host and origin. */
type RelyingParty = { id: string; origin: string };

/** Browsers support passkeys only with https or on localhost, and only for host names. */
export const relyingParty = ({
  publicUrl,
  isHttps,
}: Pick<Config, 'publicUrl' | 'isHttps'>): RelyingParty | undefined => {
  const { hostname } = new URL(publicUrl);
  const isOwnMachine = hostname === 'localhost' || hostname.endsWith('.localhost');
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[');
  return isOwnMachine || (isHttps && !isAddress) ? { id: hostname, origin: publicUrl } : undefined;
};

/** How long a browser waits for the user. */
export const millisecondsToAnswer = 5 * 60_000;

export const newChallenge = (): Buffer => randomBytes(32);

/** Our pages are never framed, so an answer from inside a frame is an attack. */
export const assertNotFramed = (clientDataJSON: string): void => {
  const { crossOrigin, topOrigin } = decodeClientDataJSON(clientDataJSON);
  if (crossOrigin || topOrigin !== undefined) throw new Error('The answer comes from a frame.');
};

/** The library requires arrays with their own memory. */
export const toBytes = (buffer: Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(buffer);
