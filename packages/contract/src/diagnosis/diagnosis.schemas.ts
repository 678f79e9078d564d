import { z } from 'zod';
import { SiteProtocol } from '../sites/sites.oidc.schemas.ts';
import { Version, versioned } from '../versions.ts';

/** Everything that diagnosis can say about an exchange. */
export const FindingCode = z.enum([
  // The request of a SAML site.
  'issuer_unknown',
  'issuer_mismatch',
  'acs_unregistered',
  'acs_index_unknown',
  'binding_unsupported',
  'signature_missing',
  'signature_invalid',
  'certificate_expired',
  'algorithm_refused',
  'destination_mismatch',
  'clock_ahead',
  'clock_behind',
  'name_id_unavailable',
  'attributes_unknown',
  'request_unreadable',
  // The request of an OpenID Connect client, and its calls to the token and userinfo endpoints.
  'client_unknown',
  'redirect_uri_unregistered',
  'scope_refused',
  'pkce_missing',
  'parameter_refused',
  'secret_wrong',
  'secret_missing',
  'secret_unexpected',
  'authentication_mismatch',
  'assertion_refused',
  'code_refused',
  'code_verifier_wrong',
  'redirect_uri_changed',
  'refresh_refused',
  'token_refused',
  // The decision about the person.
  'authentication_weak',
  'factor_missing',
  'other_person',
  'not_member',
  'person_disabled',
  'site_disabled',
  'site_closed',
  'not_in_group',
  'login_not_offered',
  'logout_refused',
  'signed_in',
]);
export type FindingCode = z.infer<typeof FindingCode>;

/** A value that the application sent, beside the one that is registered. An empty string means none. */
export const ComparedValue = z.object({ label: z.string(), received: z.string(), registered: z.string() });
export type ComparedValue = z.infer<typeof ComparedValue>;

/** The form where an owner can change what a finding is about. */
export const FindingPlace = z.enum(['parameters', 'secrets', 'metadata', 'attributes', 'details', 'groups', 'none']);
export type FindingPlace = z.infer<typeof FindingPlace>;

/** What an exchange means, explained with the current parameters of the site. */
export const Finding = z.object({
  code: FindingCode,
  /** What happened, in one sentence. */
  sentence: z.string(),
  /** What to do about it; empty if nothing. */
  advice: z.string(),
  compared: z.array(ComparedValue),
  /** Whether the cause still exists. A cause that was removed since then is only history. */
  is_current: z.boolean(),
  /** The change that would remove the cause, offered only if the application has proven that the value comes from it. */
  fix: z.object({ label: z.string(), before: z.string(), after: z.string() }).nullable(),
  place: FindingPlace,
});
export type Finding = z.infer<typeof Finding>;

export const SiteExchange = z.object({
  id: z.int(),
  first_at: z.iso.datetime(),
  last_at: z.iso.datetime(),
  /** How often the same exchange took place between the two times. */
  times: z.int(),
  step: z.enum(['request', 'decision', 'answer', 'token', 'userinfo', 'logout']),
  outcome: z.enum(['refused', 'waiting', 'accepted']),
  /** Whether the application was proven, by a signature, a secret or a key. */
  is_verified: z.boolean(),
  /** Null if nobody is known, or the person is not a member of the network any more. */
  person: z.object({ id: z.int(), name: z.string(), email: z.string() }).nullable(),
  finding: Finding,
  /** What the message contained, for people: names and lengths, never secrets or values of attributes. */
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
});
export type SiteExchange = z.infer<typeof SiteExchange>;

export const SiteDiagnosis = z.object({
  protocol: SiteProtocol,
  /** The newest first. */
  exchanges: z.array(SiteExchange),
  /** Problems that are known without an exchange, such as a certificate that has expired. */
  warnings: z.array(Finding),
  /** Until then, more exchanges are kept; null if the site is not watched. */
  watched_until: z.iso.datetime().nullable(),
  ...versioned,
});
export type SiteDiagnosis = z.infer<typeof SiteDiagnosis>;

/** The version of the site that the fix was shown for. */
export const FixRequest = z.strictObject({ based_on: Version });
export type FixRequest = z.input<typeof FixRequest>;

/** For how many days the reference numbers of error pages can be found. */
export const referenceDays = 30;

/** The reference number of an error page. The hyphen may be left out, or be a space. */
export const ErrorReference = z
  .string()
  .trim()
  .regex(/^\d{5}[- ]?\d{5}$/, 'A reference number has ten digits, such as 12345-67890.')
  .transform((text) => text.replace(/^(\d{5})[- ]?/, '$1-'));

/** An error page that a person saw while signing in. */
export const ShownErrorPage = z.object({
  reference: z.string(),
  at: z.iso.datetime(),
  /** What the page said. */
  title: z.string(),
  message: z.string(),
  /** Null if the application is not known, or the site was deleted since then. The console is a site that cannot be opened. */
  site: z.object({ id: z.int(), name: z.string(), domain: z.string(), is_console: z.boolean() }).nullable(),
  /** Null if nobody is known, or the person is not a member of the network any more. */
  person: z.object({ id: z.int(), name: z.string(), email: z.string() }).nullable(),
  /** The line of the login log; null if there is none, because the request was refused before a person was known. */
  line: z.object({ id: z.int(), reason: z.string() }).nullable(),
});
export type ShownErrorPage = z.infer<typeof ShownErrorPage>;

/** A request that an application which is not registered in the network has sent. */
export const UnknownApplication = z.object({
  id: z.int(),
  protocol: SiteProtocol,
  /** The entity id or client id. */
  identity: z.string(),
  /** Where the answer was to be sent; empty if the request did not say. */
  address: z.string(),
  times: z.int(),
  first_at: z.iso.datetime(),
  last_at: z.iso.datetime(),
});
export type UnknownApplication = z.infer<typeof UnknownApplication>;
