import { z } from 'zod';
import type { Vault } from '../../secrets/encryption.ts';
import { newUid } from '../../secrets/tokens.ts';

const Device = z.object({ uid: z.string(), device: z.string() });

export const daysToKnowDevice = 365;

/** What a browser keeps after a sign-in, to be known by the next time. It proves nothing but that. */
export const newDevice = (vault: Vault, uid: string): string => vault.seal({ uid, device: newUid() });

const open = (vault: Vault, sealed: string | undefined) => Device.safeParse(vault.open(sealed ?? '')).data;

/** The device's id, if it is one of this user's. */
export const deviceOf = (vault: Vault, sealed: string | undefined, uid: string): string | undefined => {
  const opened = open(vault, sealed);
  return opened?.uid === uid ? opened.device : undefined;
};

/** The device's id, whoever's it is. */
export const deviceIdOf = (vault: Vault, sealed: string | undefined): string | undefined => open(vault, sealed)?.device;

/** Whose device it is. */
export const uidOfDevice = (vault: Vault, sealed: string | undefined): string | undefined => open(vault, sealed)?.uid;
