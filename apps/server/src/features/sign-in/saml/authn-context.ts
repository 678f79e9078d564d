import { authnContexts, type RequestedAuthnContext } from '@opensocial/saml';
import type { Factor } from '@opensocial/signin';
import type { mfaMethods } from '../../../database/schema.ts';

type MfaMethod = (typeof mfaMethods)[number];

const { passwordProtectedTransport, timeSyncToken, refedsMfa, refedsSfa, unspecified } = authnContexts;

/** The order of the classes for `minimum`, `maximum` and `better`. */
const strengths = new Map<string, number>([
  [unspecified, 0],
  [refedsSfa, 1],
  [passwordProtectedTransport, 1],
  [timeSyncToken, 2],
  [refedsMfa, 3],
]);

const singleFactor = [unspecified, refedsSfa, passwordProtectedTransport];

/**
 * The classes that a session has proven, the strongest last. Every sign-in proves a single factor over a protected transport, also with a
 * passkey or a social login: service providers ask for PasswordProtectedTransport without meaning passwords only. A mailed code and a
 * trusted browser are no second factor for the REFEDS profile, because the mailbox may be protected by nothing but a password.
 */
const provenClasses = (mfa: MfaMethod | null): string[] => {
  if (mfa === 'totp') return [...singleFactor, timeSyncToken, refedsMfa];
  return mfa === 'passkey' || mfa === 'recovery' ? [...singleFactor, refedsMfa] : singleFactor;
};

const strengthOf = (name: string): number => strengths.get(name) ?? Number.NaN;

/** The class to state in a response, or undefined if the session has not proven what was requested. */
export const chooseAuthnContext = (
  requested: RequestedAuthnContext | undefined,
  mfa: MfaMethod | null,
): string | undefined => {
  const proven = provenClasses(mfa);
  if (!requested) return mfa === 'totp' ? timeSyncToken : proven.at(-1);
  const { comparison, classes } = requested;
  const strongest = (isMet: (name: string) => boolean) => proven.findLast(isMet);
  switch (comparison) {
    case 'exact':
      return classes.find((name) => proven.includes(name));
    case 'minimum':
      return strongest((name) => classes.some((each) => strengthOf(name) >= strengthOf(each)));
    case 'maximum':
      return strongest((name) => classes.some((each) => strengthOf(name) <= strengthOf(each)));
    case 'better':
      return strongest((name) => classes.every((each) => strengthOf(name) > strengthOf(each)));
  }
};

const strongFactors = ['passkey', 'totp', 'recovery'] as const satisfies readonly Factor[];

/** The second factors of which one has to be proven to satisfy a request; undefined if none is needed, empty if none is sufficient. */
export const requiredFactors = (requested: RequestedAuthnContext | undefined): readonly Factor[] | undefined =>
  chooseAuthnContext(requested, null) === undefined
    ? strongFactors.filter((factor) => chooseAuthnContext(requested, factor) !== undefined)
    : undefined;
