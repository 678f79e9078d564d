const texts = {
  message_too_large: 'The SAML message is too large.',
  relay_state_too_large: 'The RelayState is longer than 2,048 bytes.',
  message_undecodable: 'The SAML message is not correctly encoded.',
  message_missing: 'The request contains no SAML message.',
  message_unexpected: 'The SAML message does not have the expected content.',
  markup_forbidden: 'The SAML message contains markup or characters that are never accepted.',
  xml_malformed: 'The SAML message is not well-formed XML.',
  parameter_repeated: 'A SAML parameter is given more than once.',
  location_refused: 'A SAML message can only be sent to an http or https address.',
  certificate_unreadable: 'A signing certificate cannot be read.',
  signature_missing: 'The SAML message, or the assertion within it, is not signed.',
  signature_invalid: 'The signature of the SAML message is not valid.',
  algorithm_refused: 'The signature uses an algorithm or a key that is not accepted.',
  id_repeated: 'Two elements of the SAML message have the same ID.',
  assertion_count: 'The SAML response must contain exactly one assertion, directly inside the response.',
  status_failure: 'The identity provider answered with a failure.',
  issuer_mismatch: 'The SAML message was issued by an unexpected issuer.',
  destination_mismatch: 'The SAML message is meant for another address.',
  audience_mismatch: 'The assertion is meant for another audience.',
  recipient_mismatch: 'The assertion is meant for another recipient.',
  in_response_to_mismatch: 'The SAML message answers another request.',
  expired: 'The SAML message has expired.',
  not_yet_valid: 'The SAML message is not valid yet: the clocks of the two servers may differ.',
} as const;

export type SamlErrorCode = keyof typeof texts;

export type SamlErrorOptions = { detail?: string; cause?: unknown };

export class SamlError extends Error {
  override readonly name = 'SamlError';
  readonly code: SamlErrorCode;
  /** A full sentence with the specific problem; it is appended to the message. */
  readonly detail: string | undefined;

  constructor(code: SamlErrorCode, { detail, cause }: SamlErrorOptions = {}) {
    super(detail === undefined ? texts[code] : `${texts[code]} ${detail}`, { cause });
    this.code = code;
    this.detail = detail;
  }
}

const quote = (value: string | undefined) => (value === undefined ? 'nothing' : JSON.stringify(value.slice(0, 300)));

export const assertEqual = (code: SamlErrorCode, expected: string | undefined, received: string | undefined): void => {
  if (received === expected) return;
  throw new SamlError(code, { detail: `Expected ${quote(expected)}, received ${quote(received)}.` });
};
