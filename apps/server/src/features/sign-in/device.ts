import { z } from 'zod';
import type { Vault } from '../../secrets/encryption.ts';
import { newUid } from '../../secrets/tokens.ts';

const Device = z.object({ uid: z.string(), device: z.string() });

export const daysToKnowDevice = 365;

/** What a browser keeps after a sign-in, to be known by the next time. It proves nothing but that. */
export const newDevice = (vault: Vault, uid: string): string => vault.seal({ uid, device: newUid() });

/** The device's id, if it is one of this user's. */
export const deviceOf = (vault: Vault, sealed: string | undefined, uid: string): string | undefined => {
  const { data } = Device.safeParse(vault.open(sealed ?? ''));
  return data?.uid === uid ? data.device : undefined;
};
