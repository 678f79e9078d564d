import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { readCookie, setCookie } from '../../../http/cookies.ts';
import type { Parts } from '../../../parts.ts';
import type { Vault } from '../../../secrets/encryption.ts';
import { newUid } from '../../../secrets/tokens.ts';
import { findIdentityEmail } from '../accounts/identity-sessions.queries.ts';
import { type DeviceOwner, findDeviceOwner } from '../accounts/site-accounts.queries.ts';

const Device = z.object({ uid: z.string(), device: z.string(), credentialsAt: z.string() });

const deviceDays = 365;

/** An account, and the time when its password or a second factor was last changed. */
type Owner = { uid: string; credentialsAt: Date };

/**
 * The value of the device cookie, which marks a browser that has signed in to an account. The cookie grants nothing but separate rate
 * limits. A change of the password or a second factor invalidates it, so that a thief who once knew the password cannot collect known
 * devices, each with its own attempts.
 */
export const newDeviceCookie = (vault: Vault, { uid, credentialsAt }: Owner, device = newUid()): string =>
  vault.seal({ uid, device, credentialsAt: credentialsAt.toISOString() });

const open = (vault: Vault, sealed: string | undefined) =>
  sealed === undefined ? undefined : Device.safeParse(vault.open(sealed)).data;

/** The id of a device that has signed in to this account, unless the credentials have changed since. */
export const deviceOf = (vault: Vault, sealed: string | undefined, owner: Owner): string | undefined => {
  const opened = open(vault, sealed);
  const isKnown = opened?.uid === owner.uid && opened.credentialsAt === owner.credentialsAt.toISOString();
  return isKnown ? opened.device : undefined;
};

/** The id in a device cookie of any account, even if the cookie is no longer valid. */
export const deviceIdOf = (vault: Vault, sealed: string | undefined): string | undefined => open(vault, sealed)?.device;

/** The account that a valid device cookie belongs to, with the id of the device. */
export const findKnownDevice = async (
  { db, vault }: Pick<Parts, 'db' | 'vault'>,
  sealed: string | undefined,
): Promise<{ owner: DeviceOwner; device: string } | undefined> => {
  const opened = open(vault, sealed);
  const owner = opened && (await findDeviceOwner(db, opened.uid));
  if (!owner) return undefined;
  const device = deviceOf(vault, sealed, owner);
  return device === undefined ? undefined : { owner, device };
};

/**
 * The email address to fill in for a person who signs in again, for a step-up or after the session has expired. It is found by the session
 * cookie, or by the device cookie if the row of the session is deleted. A sign-out deletes the session cookie, so that the next person
 * in the browser does not see the address.
 */
export const findPrefilledEmail = async (parts: Parts, request: FastifyRequest): Promise<string | undefined> => {
  const token = readCookie(parts.config, request, 'identity');
  if (token === undefined) return undefined;
  const known = await findIdentityEmail(parts.db, token);
  return known ?? (await findKnownDevice(parts, readCookie(parts.config, request, 'device')))?.owner.email;
};

type CookieParts = Pick<Parts, 'config' | 'vault'>;

const setDeviceCookie = (
  { config, vault }: CookieParts,
  reply: FastifyReply,
  owner: Owner,
  device: string | undefined,
) => setCookie(config, reply, 'device', newDeviceCookie(vault, owner, device), deviceDays * 86_400);

/** Makes a browser a known device after a sign-in. A device that is known already keeps its id, and with it its failed attempts. */
export const rememberDevice = (
  parts: CookieParts,
  request: FastifyRequest,
  reply: FastifyReply,
  owner: Owner,
): { isKnown: boolean } => {
  const device = deviceOf(parts.vault, readCookie(parts.config, request, 'device'), owner);
  setDeviceCookie(parts, reply, owner, device);
  return { isKnown: device !== undefined };
};

/**
 * Renews the device cookie of a browser that has a live session of the account, after a change of the credentials has
 * invalidated it. Otherwise an attacker who has locked the account for unknown devices would keep the person from
 * signing in next time. A browser that was not a device of this account does not become one.
 */
export const renewDevice = (parts: CookieParts, request: FastifyRequest, reply: FastifyReply, owner: Owner): void => {
  const opened = open(parts.vault, readCookie(parts.config, request, 'device'));
  if (opened?.uid === owner.uid && opened.credentialsAt !== owner.credentialsAt.toISOString())
    setDeviceCookie(parts, reply, owner, opened.device);
};
