import { z } from 'zod';
import { Email } from '../fields.ts';

/** An address that administers a network. `effective` is true once its account is confirmed, active and a member. */
export const Owner = z.object({
  id: z.int(),
  owner: z.string(),
  effective: z.boolean(),
  /** Whether this is the only effective owner, who cannot be removed. */
  last: z.boolean(),
});
export type Owner = z.infer<typeof Owner>;

/** The path names the network; the same fields in the body must agree with it. */
export const OwnerDraft = z.strictObject({
  sso_server: z.string().max(63),
  sso_id: z.coerce.string().max(64),
  owner: Email,
});
export type OwnerDraft = z.input<typeof OwnerDraft>;

/**
 * An address that was made an owner, and has not accepted the invitation yet. `invite`: how it is invited again. `link`: without a mail
 * server, by a link to hand over. `account`: not at all, because the address has an account, on whose profile the invitation is.
 */
export const InvitedOwner = z.object({ id: z.int(), owner: z.string(), invite: z.enum(['mail', 'link', 'account']) });
export type InvitedOwner = z.infer<typeof InvitedOwner>;
