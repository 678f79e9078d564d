import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { readCookie, setCookie } from '../../http/cookies.ts';
import type { Parts } from '../../parts.ts';
import type { Vault } from '../../secrets/encryption.ts';
import { newUid } from '../../secrets/tokens.ts';
import { type DeviceOwner, findDeviceOwner, findIdentityEmail } from './identity.queries.ts';

const Device = z.object({ uid: z.string(), device: z.string(), credentialsAt: z.string() });

const daysToKnowDevice = 365;

/** An account, and when its password or a second factor was last changed. */
type Owner = { uid: string; credentialsAt: Date };

/**
 * The value of the device cookie, which marks a browser that has signed in to an account. It grants nothing but separate limits. A
 * change of the password or a second factor invalidates it, so that a thief who once knew the password cannot keep a collection of
 * known devices, each with its own tries.
 */
export const newDevice = (vault: Vault, { uid, credentialsAt }: Owner, device = newUid()): string =>
  vault.seal({ uid, device, credentialsAt: credentialsAt.toISOString() });

const open = (vault: Vault, sealed: string | undefined) => Device.safeParse(vault.open(sealed ?? '')).data;

/** The device's id, if it has signed in to this account by the credentials that the account still has. */
export const deviceOf = (vault: Vault, sealed: string | undefined, owner: Owner): string | undefined => {
  const opened = open(vault, sealed);
  const isKnown = opened?.uid === owner.uid && opened.credentialsAt === owner.credentialsAt.toISOString();
  return isKnown ? opened.device : undefined;
};

/** The id in a device cookie of any account, even if it is not valid any more. */
export const deviceIdOf = (vault: Vault, sealed: string | undefined): string | undefined => open(vault, sealed)?.device;

/** The account that a device is known by, with the device's id. */
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
 * The address to fill in for somebody who signs in again: a step-up, or after the session has expired. Known by the cookie of the session,
 * and by the device where the session's row is gone. A sign-out deletes the cookie, so that nobody's address is shown to the next person.
 */
export const findKnownEmail = async (parts: Parts, request: FastifyRequest): Promise<string | undefined> => {
  const token = readCookie(parts.config, request, 'identity');
  if (token === undefined) return undefined;
  const known = await findIdentityEmail(parts.db, token);
  return known ?? (await findKnownDevice(parts, readCookie(parts.config, request, 'device')))?.owner.email;
};

type Kept = Pick<Parts, 'config' | 'vault'>;

const keep = ({ config, vault }: Kept, reply: FastifyReply, owner: Owner, device: string | undefined) =>
  setCookie(config, reply, 'device', newDevice(vault, owner, device), daysToKnowDevice * 86_400);

/** After a sign-in: the browser is known from now on. A known one keeps its id, and with it the tries that it has used up. */
export const keepDevice = (
  parts: Kept,
  request: FastifyRequest,
  reply: FastifyReply,
  owner: Owner,
): { isKnown: boolean } => {
  const device = deviceOf(parts.vault, readCookie(parts.config, request, 'device'), owner);
  keep(parts, reply, owner, device);
  return { isKnown: device !== undefined };
};

/**
 * For a browser with a live session of the account: its device is known again after a change of the credentials, which ends all other
 * sessions. Otherwise strangers who have locked the account for unknown devices would keep the person out of the next sign-in. A
 * browser that was no device of this account does not become one.
 */
export const renewDevice = (parts: Kept, request: FastifyRequest, reply: FastifyReply, owner: Owner): void => {
  const opened = open(parts.vault, readCookie(parts.config, request, 'device'));
  if (opened?.uid === owner.uid && opened.credentialsAt !== owner.credentialsAt.toISOString())
    keep(parts, reply, owner, opened.device);
};
