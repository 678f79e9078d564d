import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { noteError } from '../../../http/errors.ts';
import { exchangeOf } from './exchanges.ts';

type Known = ReturnType<typeof noteError>['known'];

export type ShowPage = (ctx: KoaContextWithOIDC, page: { title: string; message: string; reference: string }) => void;

/** An error in the form in which programs expect it from OAuth. */
const toOAuthError = ({ status, message }: Known) => {
  const failure = status === 503 ? 'temporarily_unavailable' : 'server_error';
  return { error: status >= 500 ? failure : 'invalid_request', error_description: message };
};

/** Answers a program if a request fails before it reaches the library. */
export const answerProgram = (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
  const { known } = noteError(request, error);
  if (known.retryAfter) void reply.header('retry-after', known.retryAfter);
  void reply.status(known.status).header('cache-control', 'no-store').send(toOAuthError(known));
};

/**
 * Answers requests that fail inside the library because of us, such as without a database. The library would always answer 500, which
 * programs do not repeat, and would tell people that the request of the application was not valid.
 */
export const answerFailures = (provider: Provider, showPage: ShowPage): void => {
  const failures = new WeakMap<object, Error>();
  provider.on('server_error', (ctx, error) => void failures.set(ctx, error));
  provider.use(async (context, next) => {
    await next();
    const error = failures.get(context);
    if (!error) return;
    const ctx = context as KoaContextWithOIDC;
    const { known, reference } = noteError(exchangeOf(ctx).request, error);
    ctx.status = known.status;
    if (known.retryAfter) ctx.set('retry-after', String(known.retryAfter));
    ctx.set('cache-control', 'no-store');
    if (isForPeople(ctx)) showPage(ctx, { title: 'Something went wrong', message: known.message, reference });
    else ctx.body = toOAuthError(known);
  });
};

/** Whether a request is for the authorization endpoint, to which an application sends a browser. */
export const isForPeople = ({ oidc }: KoaContextWithOIDC): boolean => /^(?:authorization|resume)$/.test(oidc.route);
