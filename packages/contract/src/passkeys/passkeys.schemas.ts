import { z } from 'zod';

/** The maximum number of passkeys of one person, more than anybody has devices. */
export const maximumPasskeys = 20;

/**
 * A WebAuthn credential that is stored on a device, in a password manager or on a security key. Its private key never
 * leaves it.
 */
export const Passkey = z.object({
  id: z.int(),
  name: z.string(),
  /** Whether it is synchronised to other devices, as password managers do. */
  backed_up: z.boolean(),
  created: z.iso.datetime(),
  last_used: z.iso.datetime().nullable(),
});
export type Passkey = z.infer<typeof Passkey>;

const PasskeyName = z
  .string()
  .trim()
  .min(1, 'Name is required')
  .max(60, 'Enter at most 60 characters.')
  .refine((name) => !/\p{Cc}/u.test(name), 'A name must be one line of text');

export const PasskeyChanges = z.strictObject({ name: PasskeyName });

const Base64Url = z.string().regex(/^[\w-]*$/);
const PublicKey = z.literal('public-key');

/** The options for creating a passkey in the browser: `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. */
export const PasskeyOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: Base64Url, name: z.string(), displayName: z.string() }),
  challenge: Base64Url,
  pubKeyCredParams: z.array(z.object({ type: PublicKey, alg: z.int() })),
  timeout: z.int(),
  excludeCredentials: z.array(z.object({ id: Base64Url, type: PublicKey })),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
});
export type PasskeyOptions = z.infer<typeof PasskeyOptions>;

/** The result from the browser: the parts of WebAuthn's `RegistrationResponseJSON` that the server reads. */
export const NewPasskey = z.object({
  id: Base64Url.max(1_400),
  rawId: Base64Url.max(1_400),
  type: PublicKey,
  response: z.object({
    clientDataJSON: Base64Url.max(4_000),
    attestationObject: Base64Url.max(30_000),
    transports: z.array(z.string().max(20)).max(10).default([]),
  }),
});
export type NewPasskey = z.infer<typeof NewPasskey>;
