import type { AutoPostTitle } from '@opensocial/signin';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { type CookieName, readCookie } from '../../http/cookies.ts';
import { formFields } from '../../http/fields.ts';
import { sendForm } from './walk.ts';

/** Whether a post came without the cookie that it needs: SameSite=Lax cookies are not sent with a cross-site post. */
export const isBare = (config: Config, request: FastifyRequest, cookie: CookieName): boolean =>
  readCookie(config, request, cookie) === undefined && formFields(request)['resubmitted'] === undefined;

/** Has our own page repeat the post, once, so that it is same-site and the cookies are sent. */
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
