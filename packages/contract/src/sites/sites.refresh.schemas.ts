import { z } from 'zod';

/** A parameter of a site whose value in the metadata is another one than the stored one. */
export const SiteDifference = z.object({
  /** Names the difference when it is applied. */
  id: z.string(),
  field: z.enum([
    'acs',
    'further_acs',
    'sls',
    'certificate_added',
    'certificate_removed',
    'signed_requests',
    'signs',
    'encryption_certificate',
  ]),
  /** What it is about, for people. */
  title: z.string(),
  /** The stored value, and that of the metadata, for people. Empty strings mean none. */
  before: z.string(),
  after: z.string(),
});
export type SiteDifference = z.infer<typeof SiteDifference>;

/** How the metadata of a site was last read again, and how it differs from the SSO parameters of the site. */
export const SiteRefresh = z.object({
  /** Empty if the site has no address of its metadata. */
  metadata_url: z.string(),
  /** The last attempt, the last success, and the next attempt. */
  tried_at: z.iso.datetime().nullable(),
  read_at: z.iso.datetime().nullable(),
  next_at: z.iso.datetime().nullable(),
  /** Why the last attempt failed, as a sentence; empty if it did not. */
  failure: z.string(),
  failing_since: z.iso.datetime().nullable(),
  valid_until: z.iso.datetime().nullable(),
  differences: z.array(SiteDifference),
  /** Identifies exactly these differences. */
  digest: z.string(),
});
export type SiteRefresh = z.infer<typeof SiteRefresh>;

/** The differences to apply, of those that were shown. */
export const DifferenceChoice = z.strictObject({
  digest: z.string().max(100),
  chosen: z.array(z.string().max(200)).min(1, 'Choose what to apply.').max(100),
});
export type DifferenceChoice = z.input<typeof DifferenceChoice>;
