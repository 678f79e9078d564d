import { z } from 'zod';

/** A user as a site's panel lists them. */
export const SiteUser = z.object({
  id: z.int(),
  name: z.string(),
  fullname: z.string(),
  email: z.string(),
  /** The groups of the site that let them in, comma-separated. */
  groups: z.string(),
  status: z.enum(['Active', 'Disable']),
  /** When they last tried to sign in to the site. */
  visited: z.iso.datetime().nullable(),
});
export type SiteUser = z.infer<typeof SiteUser>;
