import { z } from 'zod';
import { basedOn, versioned } from '../versions.ts';

/** When the first of the certificates that a site needs ends; null if it has none. */
export const CertificateEnd = z.iso.datetime().nullable();

/** The most recent sign-ins at a site, at most 50 of the last seven days, and how many of them failed. */
export const RecentSignIns = z.object({ total: z.int(), failed: z.int() });
export type RecentSignIns = z.infer<typeof RecentSignIns>;

/** The recorded requests of the last seven days that were refused before a person was known, which are not in the login log. */
const RefusedRequests = z.object({ total: z.int(), last_at: z.iso.datetime().nullable() });

const settings = {
  /** Whether the server checks regularly that it can reach the site. */
  checks_reachability: z.boolean(),
  /** Whether the tile says so while the server cannot reach the site. */
  shows_unreachable: z.boolean(),
};

/** Whether a site works: its address, its metadata, its certificates and its sign-ins. */
export const SiteHealth = z.object({
  ...settings,
  /** The address to which people are sent after signing in: the ACS URL or the first redirect address. */
  address: z.string(),
  /** Why the server does not request this address, as a sentence; empty if it does. */
  unchecked_because: z.string(),
  /** The last check of the address; null if there was none. */
  check: z
    .object({
      /** `skipped`: the address is one that this server does not request, for example in a private network. */
      outcome: z.enum(['reached', 'failed', 'skipped']),
      /** Why the address was not reached, as a sentence; empty if it was. */
      detail: z.string(),
      tried_at: z.iso.datetime(),
      reached_at: z.iso.datetime().nullable(),
      failing_since: z.iso.datetime().nullable(),
    })
    .nullable(),
  /** How the metadata was last read from its address; null if the site has no such address. */
  metadata: z
    .object({
      url: z.string(),
      read_at: z.iso.datetime().nullable(),
      /** Why the last attempt failed, as a sentence; empty if it did not. */
      failure: z.string(),
      failing_since: z.iso.datetime().nullable(),
    })
    .nullable(),
  certificate_ends: CertificateEnd,
  recent_sign_ins: RecentSignIns,
  refused_requests: RefusedRequests,
  ...versioned,
});
export type SiteHealth = z.infer<typeof SiteHealth>;

export const SiteHealthChanges = z.strictObject({ ...settings, ...basedOn });
export type SiteHealthChanges = z.input<typeof SiteHealthChanges>;
