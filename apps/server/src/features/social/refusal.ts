import { AuthorizationResponseError, ResponseBodyError } from 'openid-client';
import { OutboundError } from '../../http/outbound.ts';
import type { Provider } from './social.providers.ts';

/** Why somebody is not signed in by a provider: the message is for the person, the reason for the login log. */
export class SocialRefusal extends Error {
  readonly reason: string;

  constructor(message: string, reason: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.reason = reason;
  }
}

/** Converts errors of a provider to refusals. Its messages may contain tokens, so only error codes are kept. */
export const orRefuse = async <T>(provider: Provider, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (cause) {
    const { label, name } = provider;
    const otherwise = 'Please try again, or sign in another way.';
    if (cause instanceof AuthorizationResponseError) {
      const isCancelled = /^(access_denied|user_cancelled_(login|authorize))$/.test(cause.error);
      const message = isCancelled
        ? `You were not signed in, because the sign-in was cancelled at ${label}.`
        : `${label} did not sign you in. ${otherwise}`;
      throw new SocialRefusal(message, `${name}: ${codeOf(cause.error)}`, { cause });
    }
    if (isOutbound(cause))
      throw new SocialRefusal(`${label} cannot be reached at the moment. ${otherwise}`, `${name}: not reached`, {
        cause,
      });
    throw new SocialRefusal(
      `The answer from ${label} could not be verified. ${otherwise}`,
      `${name}: answer not verified (${codeOf(cause instanceof ResponseBodyError ? cause.error : (cause as { code?: unknown }).code)})`,
      { cause },
    );
  }
};

const isOutbound = (error: unknown): boolean =>
  error instanceof Error && (error instanceof OutboundError || isOutbound(error.cause));

/** An error code of the protocol, if it looks like one. */
const codeOf = (code: unknown): string =>
  typeof code === 'string' && /^[\w.-]{1,60}$/.test(code) ? code : 'unreadable';
