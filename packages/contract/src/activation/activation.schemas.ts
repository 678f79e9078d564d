import { z } from 'zod';
import { Password } from '../fields.ts';

/**
 * The parameters of an activation link. The handler validates the address, because it answers a malformed one with its own error code.
 */
export const ActivationLink = z.strictObject({ email: z.string().max(254), code: z.string().min(1).max(200) });

/** Key in session storage of the tab under which the mailed link waits for the console, as JSON of email and token. */
export const activationLinkKey = 'activation-link';

export const Activation = ActivationLink.extend({
  password: Password,
  /** Origin of the page. It must equal our own origin. */
  signup_from: z.string().max(500),
});

export const PasswordPolicy = z.object({
  password_regex: z.string(),
  password_length: z.int(),
  regex_message: z.string(),
});
export type PasswordPolicy = z.infer<typeof PasswordPolicy>;
