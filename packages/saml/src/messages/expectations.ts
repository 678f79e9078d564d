import { assertEqual, SamlError } from '../errors.ts';

export type Clock = { now: Date; clockSkewSeconds?: number | undefined };

export type ResponseExpectations = Clock & {
  /** The registered certificates of the identity provider; one in the message is never used. */
  certificates: readonly string[];
  issuer: string;
  /** Our own assertion consumer service. */
  destination: string;
  audience: string;
  /** The id of our request, or undefined when the answer must be unsolicited. */
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
 * For requests and logout responses: addressed to us, by whom we think, and recent. A message without a Destination
 * passes, since it is only required of signed ones and several service providers leave it out.
 */
export const assertMessage = (message: CheckedMessage, expectations: MessageExpectations): void => {
  const { destination, issuer, maximumAgeSeconds = 300 } = expectations;
  if (message.destination !== undefined) assertEqual('destination_mismatch', destination, message.destination);
  if (issuer !== undefined) assertEqual('issuer_mismatch', issuer, message.issuer);
  assertNotBefore(message.issueInstant, expectations);
  assertNotOnOrAfter(new Date(message.issueInstant.getTime() + maximumAgeSeconds * 1000), expectations);
  if (message.notOnOrAfter) assertNotOnOrAfter(message.notOnOrAfter, expectations);
};
