import type { FindingCode } from '@opensocial/contract';
import { z } from 'zod';

/**
 * What is kept of an exchange: addresses, names and lengths. There is no field for a secret, code, token, signature, RelayState, state,
 * nonce or value of an attribute, so that none can be stored by mistake.
 */
export const ExchangeFacts = z
  .object({
    // A SAML request.
    binding: z.string(),
    issuer: z.string(),
    acs: z.string(),
    acsIndex: z.number(),
    destination: z.string(),
    /** Our own address, at which the request arrived. */
    arrivedAt: z.string(),
    responseBinding: z.string(),
    nameIdFormat: z.string(),
    nameQualifier: z.string(),
    attributeIndex: z.number(),
    comparison: z.string(),
    contexts: z.array(z.string()),
    issuedAt: z.iso.datetime(),
    receivedAt: z.iso.datetime(),
    isSigned: z.boolean(),
    algorithm: z.string(),
    /** The fingerprint of the certificate in the request, which is not necessarily a registered one. */
    certificate: z.string(),
    certificateEnds: z.iso.datetime(),
    // A request of OpenID Connect.
    clientId: z.string(),
    redirectUri: z.string(),
    scope: z.string(),
    responseType: z.string(),
    challengeMethod: z.string(),
    grantType: z.string(),
    /** How the client proved who it is. */
    authentication: z.enum(['header', 'form', 'assertion', 'none']),
    error: z.string(),
    detail: z.string(),
    // The decision, and the answer.
    acceptedFactors: z.array(z.string()),
    proven: z.string(),
    nameId: z.string(),
    context: z.string(),
    attributes: z.array(z.object({ name: z.string(), lengths: z.array(z.number()) })),
  })
  .partial();
export type ExchangeFacts = z.infer<typeof ExchangeFacts>;

/** A request was accepted and was new. It is not shown, but says that earlier problems with the clock are solved. */
export const requestAccepted = 'request_accepted';

/** An exchange with a site. */
export type ExchangeDraft = {
  site: { id: number; kind: 'site' | 'console'; watched_until: Date | null };
  /** The person who was signing in, if known. People who are not members of the network must not be named. */
  userId?: number | undefined;
  step: 'request' | 'decision' | 'answer' | 'token' | 'userinfo' | 'logout';
  outcome: 'refused' | 'waiting' | 'accepted';
  code: FindingCode | typeof requestAccepted;
  /** Whether the application was proven, by a signature, a secret or a key. */
  isVerified: boolean;
  /** The IP address that the request came from. It is not stored: it limits how much one sender can record. */
  sender: string;
  /** Called only if the exchange is recorded. */
  facts: () => ExchangeFacts;
};

/** A request of an application that is not registered in the network. */
export type ArrivalDraft = {
  network: string;
  protocol: 'saml' | 'oidc';
  identity: string;
  address: string;
  sender: string;
};

/** An error page that a person sees while signing in. */
export type ErrorPageDraft = {
  network: string;
  reference: string;
  siteId?: number | undefined;
  /** The person who was signing in, if known. People who are not members of the network must not be named. */
  userId?: number | undefined;
  /** The line of the login log. */
  lineId?: number | undefined;
  title: string;
  message: string;
  sender: string;
};

/** Records exchanges in the background, so that recording neither delays nor fails a request. */
export type ExchangeRecorder = {
  record: (draft: ExchangeDraft) => void;
  recordArrival: (draft: ArrivalDraft) => void;
  recordErrorPage: (draft: ErrorPageDraft) => void;
  /** Writes the exchanges that wait. */
  flush: () => Promise<void>;
  /** Writes the exchanges that wait, and drops all later ones. */
  stop: () => Promise<void>;
};
