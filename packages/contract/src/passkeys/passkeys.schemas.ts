import { z } from 'zod';

/** More than anybody has devices. */
export const mostPasskeys = 20;

/** A key that a device, a password manager or a security key holds for somebody, and that never leaves it. */
export const Passkey = z.object({
  id: z.int(),
  name: z.string(),
  /** Whether it is on more than one device, as password managers keep it. */
  backed_up: z.boolean(),
  created: z.iso.datetime(),
  last_used: z.iso.datetime().nullable(),
});
export type Passkey = z.infer<typeof Passkey>;

const PasskeyName = z
  .string()
  .trim()
  .min(1, 'Name is required')
  .max(60, 'A name has at most 60 characters.')
  .refine((name) => !/\p{Cc}/u.test(name), 'A name is one line of text');

export const PasskeyChanges = z.strictObject({ name: PasskeyName });

const Base64Url = z.string().regex(/^[\w-]*$/);
const PublicKey = z.literal('public-key');

/** What the browser is asked to make a passkey with: `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. */
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

/** What the browser answers: `RegistrationResponseJSON` of WebAuthn, as far as anybody reads it. */
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
