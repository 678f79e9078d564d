import type { RequestedAuthnContext } from '@opensocial/saml';
import type { Factor } from '@opensocial/signin';
import type { Destination } from '../destination/destinations.queries.ts';

/** A verified request for single sign-on, of any protocol. */
export type SignOnRequest = {
  destination: Destination;
  isForced: boolean;
  isPassive: boolean;
  /** The second factors of which the site asks for one; undefined if it asks for none. */
  requiredFactors: readonly Factor[] | undefined;
  /** The part of the request that only the code of its protocol reads. */
  message: SamlRequest | OidcRequest;
};

/** The part of a request for single sign-on that belongs to SAML: what the response refers to, and how it names the person. */
export type SamlRequest = {
  protocol: 'saml';
  /** Undefined if the sign-on was begun here, from a tile of the desktop. */
  requestId: string | undefined;
  /** The registered assertion consumer service that gets the response. */
  acsUrl: string;
  /** The format that the request asks for; undefined if any suits. */
  nameIdFormat: string | undefined;
  /** The index of the attributes that the request asks for. */
  attributeIndex: number | undefined;
  relayState: string | undefined;
  authnContext: RequestedAuthnContext | undefined;
  /** The person who has to be signed in; undefined if it may be anybody. */
  subject: { nameId: string; nameIdFormat: string | undefined } | undefined;
};

/** The part of a request for single sign-on that belongs to OpenID Connect. The library keeps the rest of the request. */
export type OidcRequest = {
  protocol: 'oidc';
  /** The id under which the library keeps the request. */
  interaction: string;
  acr: RequestedAcr;
  /** The email address to fill in. */
  loginHint: string | undefined;
};

/** The authentication context classes that a request asks for. Those of an essential claim must be met; others are a wish. */
export type RequestedAcr = { values: readonly string[]; isEssential: boolean };

/** Why a genuine request cannot be granted. Each protocol has its own code for each reason. */
export type SignOnRefusal =
  | 'not_signed_in'
  | 'denied'
  | 'other_person'
  | 'weak_authentication'
  | 'unknown_endpoint'
  | 'unknown_attributes'
  | 'unsupported_binding'
  | 'unsupported_name_id';

/** The part of a SAML request that a response without an assertion needs. */
type AnsweredSamlRequest = Pick<SamlRequest, 'protocol' | 'requestId' | 'acsUrl' | 'relayState'>;

/** A genuine request that cannot be granted. The site gets the reason as an answer of its protocol. */
export class SignOnError extends Error {
  readonly signOn: Pick<SignOnRequest, 'destination'> & {
    message: AnsweredSamlRequest | OidcRequest;
  };
  readonly refusal: SignOnRefusal;

  constructor(signOn: SignOnError['signOn'], refusal: SignOnRefusal) {
    super(`A request for single sign-on was refused: ${refusal}.`);
    this.signOn = signOn;
    this.refusal = refusal;
  }
}
