import { z } from 'zod';
import { Finding } from '../diagnosis/diagnosis.schemas.ts';
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

/**
 * How the newest sign-in at a site went, according to the login log and the recorded exchanges. `none`: there was none. `works`: it was
 * completed. `unredeemed`: the application got a code of OpenID Connect and has not exchanged it for tokens yet. `failed`: a request, the
 * person or the code was refused.
 */
export const SignOnState = z.enum(['none', 'works', 'unredeemed', 'failed']);
export type SignOnState = z.infer<typeof SignOnState>;

/** The last sign-in that was completed: with OpenID Connect, the application got its tokens. */
const LastSuccess = z.object({ at: z.iso.datetime() });

/** The last failure: a line of the login log with its reason, or a recorded exchange with its finding. */
const LastFailure = z.object({ at: z.iso.datetime(), reason: z.string(), finding: Finding.nullable() });

/** The state of single sign-on at a site: what is set up, and how sign-ins went. */
export const SiteOverview = z.object({
  id: z.int(),
  protocol: SiteProtocol,
  on_desktop: z.boolean(),
  /** The number of groups that the site is assigned to. Without a group it is open to the whole network. */
  groups: z.int(),
  sign_on: SignOnState,
  last_success: LastSuccess.nullable(),
  last_failure: LastFailure.nullable(),
  certificates: z.array(CertificateState),
  /** The certificate that signs the responses to the site, in PEM; empty for OpenID Connect. */
  certificate: z.string(),
});
export type SiteOverview = z.infer<typeof SiteOverview>;
