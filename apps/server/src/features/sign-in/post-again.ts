import type { AutoPostTitle } from '@opensocial/signin';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { type CookieName, readCookie } from '../../http/cookies.ts';
import { formFields } from '../../http/fields.ts';
import { sendForm } from './walk.ts';

/** A service provider's post is cross-site, so our cookies stayed behind. */
export const isBare = (config: Config, request: FastifyRequest, cookie: CookieName): boolean =>
  readCookie(config, request, cookie) === undefined && formFields(request)['resubmitted'] === undefined;

/** Posted once more by our own page, they come along. */
export const postAgain = (config: Config, request: FastifyRequest, reply: FastifyReply, title: AutoPostTitle) => {
  const { SAMLRequest, SAMLResponse, RelayState } = formFields(request);
  const fields = {
    ...(SAMLRequest !== undefined && { SAMLRequest }),
    ...(SAMLResponse !== undefined && { SAMLResponse }),
    ...(RelayState !== undefined && { RelayState }),
    resubmitted: 'yes',
  };
  return sendForm(reply, { action: `${config.publicUrl}${request.url}`, fields }, title);
};
