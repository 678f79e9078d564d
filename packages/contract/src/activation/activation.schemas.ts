import { z } from 'zod';
import { Password } from '../fields.ts';

/** What an activation link carries. The address is checked by the handler, which has a text of its own for a bad one. */
export const ActivationLink = z.strictObject({ email: z.string().max(254), code: z.string().min(1).max(200) });

/** Where in the session storage of the tab the mailed link waits for the console, as JSON of email and token. */
export const activationLinkKey = 'activation-link';

export const Activation = ActivationLink.extend({
  password: Password,
  /** Origin of the page, compared with our own, never trusted. */
  signup_from: z.string().max(500),
});

export const PasswordPolicy = z.object({
  password_regex: z.string(),
  password_length: z.int(),
  regex_message: z.string(),
});
export type PasswordPolicy = z.infer<typeof PasswordPolicy>;
