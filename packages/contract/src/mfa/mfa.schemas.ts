import { z } from 'zod';
import { Done, NamedUser } from '../fields.ts';

export const MfaStatus = z.enum(['active', 'inactive']);
export type MfaStatus = z.infer<typeof MfaStatus>;

/** A secret that waits to be proven: as text, and as a picture for an authenticator app. */
export const MfaSecret = z.object({ key: z.string(), img: z.string() });
export type MfaSecret = z.infer<typeof MfaSecret>;

/** `secret` is compared with the one that was shown, and never taken. */
export const TokenProof = z.strictObject({ secret: z.string().max(200), token: z.string().max(100), email: NamedUser });

export const RecoveryCodes = z.object({ message: z.string(), recovery_codes: z.array(z.string()) });
export type RecoveryCodes = z.infer<typeof RecoveryCodes>;

/** Switching mailed codes on takes two calls: `code_needed` says that the second one, with the mailed code, is still to come. */
export const MailMfaProgress = Done.extend({ code_needed: z.boolean() });
export type MailMfaProgress = z.infer<typeof MailMfaProgress>;
