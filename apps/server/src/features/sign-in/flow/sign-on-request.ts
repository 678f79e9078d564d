import type { Destination } from '../destination/destinations.queries.ts';
import type { SamlRequest } from '../saml/sign-on-request.ts';

/** A verified request for single sign-on, of any protocol. */
export type SignOnRequest = {
  destination: Destination;
  isForced: boolean;
  isPassive: boolean;
  /** The part of the request that only the code of its protocol reads. */
  message: SamlRequest;
};

/** Why a genuine request cannot be granted. Each protocol has its own code for each reason. */
export type SignOnRefusal = 'not_signed_in' | 'denied' | 'unsupported_binding' | 'unsupported_name_id';

/** A genuine request that cannot be granted. The site gets the reason as an answer of its protocol. */
export class SignOnError extends Error {
  readonly signOn: Pick<SignOnRequest, 'destination'> & {
    message: Pick<SamlRequest, 'protocol' | 'requestId' | 'relayState'>;
  };
  readonly refusal: SignOnRefusal;

  constructor(signOn: SignOnError['signOn'], refusal: SignOnRefusal) {
    super(`A request for single sign-on was refused: ${refusal}.`);
    this.signOn = signOn;
    this.refusal = refusal;
  }
}
