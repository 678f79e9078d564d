import { assertEqual, SamlError } from '../errors.ts';

export type Clock = { now: Date; clockSkewSeconds?: number | undefined };

export type ResponseExpectations = Clock & {
  /** The registered certificates of the identity provider. Certificates inside the message are ignored. */
  certificates: readonly string[];
  issuer: string;
  /** The URL of our own assertion consumer service. */
  destination: string;
  audience: string;
  /** The id of our AuthnRequest, or undefined to accept only an unsolicited response. */
  inResponseTo: string | undefined;
};

const defaultClockSkewSeconds = 30;

const skewOf = ({ clockSkewSeconds = defaultClockSkewSeconds }: Clock) => clockSkewSeconds * 1000;

export const assertNotBefore = (instant: Date, clock: Clock): void => {
  if (clock.now.getTime() + skewOf(clock) < instant.getTime()) {
    throw new SamlError('not_yet_valid', { detail: `It is valid from ${instant.toISOString()}.` });
  }
};

export const assertNotOnOrAfter = (instant: Date, clock: Clock): void => {
  if (clock.now.getTime() - skewOf(clock) >= instant.getTime()) {
    throw new SamlError('expired', { detail: `It was valid until ${instant.toISOString()}.` });
  }
};

export type MessageExpectations = Clock & {
  destination: string;
  issuer?: string | undefined;
  maximumAgeSeconds?: number | undefined;
};

type CheckedMessage = {
  issuer: string;
  destination: string | undefined;
  issueInstant: Date;
  notOnOrAfter?: Date | undefined;
};

/**
 * Checks destination, issuer and age of a request or logout response. A message without a Destination passes: the
 * standard requires the attribute for signed messages only, and several service providers omit it.
 */
export const assertMessage = (message: CheckedMessage, expectations: MessageExpectations): void => {
  const { destination, issuer, maximumAgeSeconds = 300 } = expectations;
  if (message.destination !== undefined) assertEqual('destination_mismatch', destination, message.destination);
  if (issuer !== undefined) assertEqual('issuer_mismatch', issuer, message.issuer);
  assertNotBefore(message.issueInstant, expectations);
  assertNotOnOrAfter(new Date(message.issueInstant.getTime() + maximumAgeSeconds * 1000), expectations);
  if (message.notOnOrAfter) assertNotOnOrAfter(message.notOnOrAfter, expectations);
};
