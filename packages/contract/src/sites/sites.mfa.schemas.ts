import { z } from 'zod';

/** Whether a second factor is required at a site, and whom that concerns. */
export const SiteMfa = z.object({
  /** Whether the network requires a second factor at all its sites, whatever the site itself says. */
  network_requires: z.boolean(),
  /** Active accounts whose home is the network of the site, and that may enter the site. */
  people: z.int(),
  /** Those of them that have no second factor. */
  without_factor: z.int(),
  /** Whether people without a second factor could not sign in, because no mail server sends them a code. */
  locks_out: z.boolean(),
});
export type SiteMfa = z.infer<typeof SiteMfa>;
