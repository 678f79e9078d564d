import { z } from 'zod';
import { SiteProtocol } from './sites.oidc.schemas.ts';

/** A certificate of a site or of our identity provider. */
export const CertificateState = z.object({
  /** Whose messages it verifies, or for whom assertions are encrypted with it. */
  use: z.enum(['identity_provider', 'signing', 'encryption']),
  /** SHA-256 of the certificate, in hexadecimal with colons. */
  fingerprint: z.string(),
  not_after: z.iso.datetime(),
});
export type CertificateState = z.infer<typeof CertificateState>;

/** The last sign-in at a site, by outcome, among its most recent lines of the login log. */
const LastSignIn = z.object({ at: z.iso.datetime(), reason: z.string() }).nullable();

/** The state of single sign-on at a site: what is set up, and how sign-ins went. */
export const SiteOverview = z.object({
  id: z.int(),
  protocol: SiteProtocol,
  on_desktop: z.boolean(),
  /** The number of groups that the site is assigned to. Without a group it is open to the whole network. */
  groups: z.int(),
  last_success: LastSignIn,
  last_failure: LastSignIn,
  certificates: z.array(CertificateState),
  /** The certificate that signs the responses to the site, in PEM; empty for OpenID Connect. */
  certificate: z.string(),
});
export type SiteOverview = z.infer<typeof SiteOverview>;
