import { authnContexts } from '@opensocial/saml';
import type { Identity } from '../accounts/identity-sessions.queries.ts';
import { isOwnLogin } from '../accounts/login-types.ts';
import type { RequestedAcr } from '../flow/sign-on-request.ts';
import { chooseAuthnContext, requiredFactors } from '../saml/authn-context.ts';

const { refedsMfa, refedsSfa } = authnContexts;

/** The authentication context classes that a request can ask for. The same profiles exist for SAML. */
export const acrValues: readonly string[] = [refedsMfa, refedsSfa];

type Session = Pick<Identity['session'], 'mfa' | 'login_from'>;

const hasProven = (mfa: Session['mfa'], acr: string): boolean =>
  chooseAuthnContext({ comparison: 'exact', classes: [acr] }, mfa) !== undefined;

/** The strongest class that a session has proven. */
export const acrOf = ({ mfa }: Session): string => (hasProven(mfa, refedsMfa) ? refedsMfa : refedsSfa);

/** How a person was authenticated, with the names of RFC 8176. A passkey is a key that the person unlocks. */
export const amrOf = ({ mfa, login_from }: Session): string[] => {
  if (mfa === 'passkey') return ['pop', 'user', 'mfa'];
  const first = isOwnLogin(login_from) ? ['pwd'] : [];
  if (mfa === 'totp' || mfa === 'recovery') return [...first, 'otp', 'mfa'];
  return mfa === 'email' ? [...first, 'otp'] : first;
};

/**
 * The second factors of which a request needs one; undefined if it needs none. `acr_values` is a wish, so unknown values are ignored, and
 * a single factor is sufficient if it is one of them. Of an essential claim, at least one value must be known.
 */
export const factorsFor = ({ values, isEssential }: RequestedAcr) => {
  const known = values.filter((value) => acrValues.includes(value));
  if (known.length === 0) return isEssential && values.length > 0 ? [] : undefined;
  return requiredFactors({ comparison: 'exact', classes: known });
};

/** Whether a session satisfies a request. */
export const satisfies = (session: Session, requested: RequestedAcr): boolean => {
  const known = requested.values.filter((value) => acrValues.includes(value));
  if (known.length === 0) return !requested.isEssential || requested.values.length === 0;
  return known.some((value) => hasProven(session.mfa, value));
};
