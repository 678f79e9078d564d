import { z } from 'zod';
import { SiteProtocol } from '../sites/sites.oidc.schemas.ts';

/** `note`: worth knowing, but not a fault. `skipped`: not checked, because an earlier check has failed. */
export const SiteTestOutcome = z.enum(['yes', 'no', 'note', 'skipped']);
export type SiteTestOutcome = z.infer<typeof SiteTestOutcome>;

/** One thing that a test has found out, as a sentence. */
export const SiteTestCheck = z.object({ label: z.string(), outcome: SiteTestOutcome, text: z.string() });
export type SiteTestCheck = z.infer<typeof SiteTestCheck>;

/** The parts of a sign-in, in the order in which they take place. `token`: the application redeems its code. */
export const SiteTestStepId = z.enum(['request', 'person', 'answer', 'sent', 'token']);
export type SiteTestStepId = z.infer<typeof SiteTestStepId>;

export const SiteTestStep = z.object({ id: SiteTestStepId, at: z.iso.datetime(), checks: z.array(SiteTestCheck) });
export type SiteTestStep = z.infer<typeof SiteTestStep>;

/**
 * `waiting`: the application has not sent a request yet. `running`: the person signs in, looks at the answer, or the application has not
 * redeemed its code yet. `failed`: the last request failed; the application may send another one.
 */
export const SiteTestState = z.enum(['waiting', 'running', 'done', 'failed', 'stopped', 'expired']);
export type SiteTestState = z.infer<typeof SiteTestState>;

/**
 * Whether a site of SAML whose responses have two signatures needs only that of the assertion. `offered`: the application got both, and
 * another test can find it out. `sent`: the application got only that of the assertion, and the owner sees whether it was accepted.
 */
export const OneSignature = z.enum(['none', 'offered', 'sent']);
export type OneSignature = z.infer<typeof OneSignature>;

/** A test of the sign-in to a site, as its owner sees it. It contains sentences and no values of the messages. */
export const SiteTest = z.object({
  protocol: SiteProtocol,
  state: SiteTestState,
  /** What is right or wrong, in a few words and in a sentence. */
  title: z.string(),
  text: z.string(),
  /** What to compare if the application shows an error. */
  causes: z.array(z.string()),
  steps: z.array(SiteTestStep),
  expires_at: z.iso.datetime(),
  /** The address at which the application, or the identity provider for it, begins a sign-in. */
  start_url: z.string(),
  one_signature: OneSignature,
});
export type SiteTest = z.infer<typeof SiteTest>;
