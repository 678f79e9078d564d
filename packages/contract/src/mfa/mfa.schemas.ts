import { z } from 'zod';
import { Done, NamedUser } from '../fields.ts';

export const MfaStatus = z.enum(['active', 'inactive']);
export type MfaStatus = z.infer<typeof MfaStatus>;

/** A new secret that is not confirmed yet: as text, and as a QR code for an authenticator app. */
export const MfaSecret = z.object({ key: z.string(), img: z.string() });
export type MfaSecret = z.infer<typeof MfaSecret>;

/** `secret` must equal the secret that was shown. The server uses its own copy. */
export const TokenProof = z.strictObject({ secret: z.string().max(200), token: z.string().max(100), email: NamedUser });

export const RecoveryCodes = z.object({ message: z.string(), recovery_codes: z.array(z.string()) });
export type RecoveryCodes = z.infer<typeof RecoveryCodes>;

/**
 * Turning on email codes takes two calls. `code_needed` means that the second call, with the mailed code, is still
 * missing.
 */
export const MailMfaProgress = Done.extend({ code_needed: z.boolean() });
export type MailMfaProgress = z.infer<typeof MailMfaProgress>;
