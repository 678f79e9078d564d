import { z } from 'zod';
import { page } from '../paging.ts';

export const SigningAlgorithm = z.enum(['rsa-2048', 'rsa-3072', 'rsa-4096', 'ec-p256']);
export type SigningAlgorithm = z.infer<typeof SigningAlgorithm>;

export const SigningKeyState = z.enum(['current', 'next', 'retired']);
export type SigningKeyState = z.infer<typeof SigningKeyState>;

/** A signing key of a network. Its private part never leaves the server. */
export const SigningKey = z.object({
  id: z.int(),
  state: SigningKeyState,
  algorithm: SigningAlgorithm,
  /** SHA-256 of the certificate, in hexadecimal with colons. */
  fingerprint: z.string(),
  /** In PEM. */
  certificate: z.string(),
  /** Since when the network's metadata lists the key. */
  created_at: z.iso.datetime(),
  not_after: z.iso.datetime(),
  retired_at: z.iso.datetime().nullable(),
  /** The number of sites that are signed with this key. */
  sites: z.int(),
  /** The number of sites with a sign-in that was signed with this key. */
  used_by: z.int(),
  /** The person who tries the key at the moment, and until when. */
  tried_by: z.string().nullable(),
  tried_until: z.iso.datetime().nullable(),
});
export type SigningKey = z.infer<typeof SigningKey>;

export const SigningKeyList = z.object({ keys: z.array(SigningKey), sites: z.int() });
export type SigningKeyList = z.infer<typeof SigningKeyList>;

/** A site with the key that signs its responses, and its own certificates. */
export const SigningKeySite = z.object({
  id: z.int(),
  site_name: z.string(),
  domain: z.string(),
  key_id: z.int(),
  /** The last sign-in with each key, at an accuracy of an hour; the newest first. */
  sign_ins: z.array(z.object({ key_id: z.int(), at: z.iso.datetime() })),
  /** Whether the metadata that is read from the address of the site lists ECDSA with P-256 and SHA-256. */
  verifies_ecdsa: z.boolean(),
  /** They verify the messages of the site, or assertions are encrypted for them. */
  certificates: z.array(
    z.object({ use: z.enum(['signing', 'encryption']), fingerprint: z.string(), not_after: z.iso.datetime() }),
  ),
});
export type SigningKeySite = z.infer<typeof SigningKeySite>;

export const SigningKeySitePage = page('sites', SigningKeySite, 'all_sites');
export type SigningKeySitePage = z.infer<typeof SigningKeySitePage>;

export const SigningKeyDraft = z.strictObject({ algorithm: SigningAlgorithm });
export type SigningKeyDraft = z.infer<typeof SigningKeyDraft>;
