import type { AutoPostTitle } from '@opensocial/signin';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../../config.ts';
import { type CookieName, readCookie } from '../../../http/cookies.ts';
import { formFields } from '../../../http/fields.ts';
import { sendAutoPost } from './auto-post.ts';

/** Whether a post came without the cookie that it needs. Browsers do not send SameSite=Lax cookies with a cross-site post. */
export const lacksCookie = (config: Config, request: FastifyRequest, cookie: CookieName): boolean =>
  readCookie(config, request, cookie) === undefined && formFields(request)['resubmitted'] === undefined;

/** Answers with a page of our own that repeats the post once. The repeated post is same-site, so that the browser sends the cookies. */
export const resubmit = (config: Config, request: FastifyRequest, reply: FastifyReply, title: AutoPostTitle) => {
  const { SAMLRequest, SAMLResponse, RelayState } = formFields(request);
  const fields = {
    ...(SAMLRequest !== undefined && { SAMLRequest }),
    ...(SAMLResponse !== undefined && { SAMLResponse }),
    ...(RelayState !== undefined && { RelayState }),
    resubmitted: 'yes',
  };
  return sendAutoPost(reply, { action: `${config.publicUrl}${request.url}`, fields }, title);
};
