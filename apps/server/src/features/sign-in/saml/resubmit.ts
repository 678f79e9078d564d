import type { AutoPostTitle } from '@opensocial/signin';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../../config.ts';
import { type CookieName, readCookie } from '../../../http/cookies.ts';
import { formFields } from '../../../http/fields.ts';
import { sendAutoPost } from './auto-post.ts';

/** Whether a post came without the cookie that it needs. Browsers do not send SameSite=Lax cookies with a cross-site post. */
export const lacksCookie = (config: Config, request: FastifyRequest, cookie: CookieName): boolean =>
  readCookie(config, request, cookie) === undefined && formFields(request)['resubmitted'] === undefined;

/** The fields of messages that sites have their browsers post. */
const samlFields = ['SAMLRequest', 'SAMLResponse', 'RelayState'];
const oidcFields = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state'];
const repeated = new Set([...samlFields, ...oidcFields]);

/** Answers with a page of our own that repeats the post once. The repeated post is same-site, so that the browser sends the cookies. */
export const resubmit = (config: Config, request: FastifyRequest, reply: FastifyReply, title: AutoPostTitle) => {
  const given = Object.entries(formFields(request)).flatMap(([name, value]) =>
    value !== undefined && repeated.has(name) ? [[name, value] as const] : [],
  );
  const fields = { ...Object.fromEntries(given), resubmitted: 'yes' };
  return sendAutoPost(reply, { action: `${config.publicUrl}${request.url}`, fields }, title);
};
