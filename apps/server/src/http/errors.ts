import { randomInt } from 'node:crypto';
import { ApiError, ConflictError, toErrorAnswer } from '@opensocial/contract';
import { SamlError } from '@opensocial/saml';
import { renderError } from '@opensocial/signin';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { isConflict, isDatabaseAway, isDatabaseFull, isOrphaned, isUnstorable } from '../database/connect.ts';
import { BucketError } from '../storage/bucket.ts';
import type { RecordErrorPage } from './error-pages.ts';
import { securityHeaders } from './headers.ts';
import { sendPage } from './pages.ts';

/** An error that is shown as a page, for requests that a person makes in the browser and not through the console. */
export class PageError extends Error {
  readonly status: number;
  readonly title: string;
  /** Seconds until a retry makes sense. */
  readonly retryAfter: number | undefined;

  constructor(status: number, title: string, message: string, options: { cause?: unknown; retryAfter?: number } = {}) {
    super(message, options);
    this.status = status;
    this.title = title;
    this.retryAfter = options.retryAfter;
  }
}

export const installErrors = (app: FastifyInstance, record: RecordErrorPage): void => {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const { known, reference } = noteError(request, error);
    if (known.retryAfter) void reply.header('retry-after', known.retryAfter);
    if (!wantsPage(request, known)) return sendErrorAnswer(reply, known);
    record(request, { reference, title: titleOf(known), message: known.message });
    return sendErrorPage(reply, known, reference);
  });
};

/** Logs an error. Returns what clients may know of it, and the reference under which it is in the log. */
export const noteError = (request: FastifyRequest, error: Error) => {
  const known = toKnown(error);
  const reference = newReference();
  const level = known.status >= 500 ? 'error' : 'info';
  request.log[level](
    { err: error, reference, code: known instanceof ApiError ? known.code : undefined },
    known.message,
  );
  return { known, reference };
};

/** Handles errors that occur before routing, such as a URL that cannot be decoded. Fastify runs no hooks for them. */
export const answerFrameworkErrors =
  (config: Config) =>
  (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    void reply.headers(securityHeaders(config));
    const known = toKnown(error);
    void (wantsPage(request, known) ? sendErrorPage(reply, known, newReference()) : sendErrorAnswer(reply, known));
  };

const sendErrorAnswer = (reply: FastifyReply, error: ApiError | PageError) => {
  const answered = error instanceof ApiError ? error : new ApiError('bad_request', { message: error.message });
  return reply
    .status(error.status)
    .header('cache-control', 'no-store')
    .send({ ...toErrorAnswer(answered), ...(error instanceof ConflictError && { conflict: error.conflict }) });
};

const sendErrorPage = (reply: FastifyReply, error: ApiError | PageError, reference: string) => {
  const page = { title: titleOf(error), message: error.message, reference, homeUrl: '/' };
  return sendPage(reply.status(error.status), renderError(page));
};

const titleOf = (error: ApiError | PageError): string => {
  if (error instanceof PageError) return error.title;
  if (error.status === 404) return 'This page does not exist';
  if (error.status === 429) return 'Too many attempts';
  return error.status >= 500 ? 'Something went wrong' : 'This did not work';
};

/** Browsers request HTML when they navigate; the console and scripts do not. */
const wantsPage = (request: FastifyRequest, error: ApiError | PageError): boolean =>
  error instanceof PageError ||
  /\btext\/html\b/i.test(request.headers.accept ?? '') ||
  /^\/(saml|oidc|signin|server\/saml)(\/|$)/.test(request.url.split('?')[0] ?? '');

/** Converts every error to one of our own, so that no internal details are sent to clients. */
const toKnown = (error: Error & Partial<Pick<FastifyError, 'code' | 'statusCode'>>): ApiError | PageError => {
  if (error instanceof ApiError || error instanceof PageError) return error;
  if (error instanceof SamlError) {
    const advice =
      'Go back to the application and try again. If the problem persists, show this page to its administrator.';
    return new PageError(400, 'This request is not valid', `${error.message} ${advice}`, { cause: error });
  }
  if (error instanceof BucketError) return new ApiError('unavailable', { cause: error, retryAfter: 10 });
  if (isDatabaseFull(error)) return new ApiError('database_full', { cause: error, retryAfter: 30 });
  if (isDatabaseAway(error)) return new ApiError('unavailable', { cause: error, retryAfter: 2 });
  if (isConflict(error)) return new ApiError('unavailable', { cause: error, retryAfter: 1 });
  if (isOrphaned(error)) return new ApiError('not_found', { cause: error });
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') return new ApiError('storage_full', { cause: error });
  if (isUnstorable(error)) return new ApiError('bad_request', { cause: error });
  if (error.statusCode === 413) return new ApiError('too_large', { cause: error });
  if (error.statusCode !== undefined && error.statusCode < 500) return new ApiError('bad_request', { cause: error });
  return new ApiError('internal', { cause: error });
};

/** A reference for a person to report. It is short enough to read out on the telephone, and is in the log line too. */
export const newReference = (): string =>
  String(randomInt(0, 1e10))
    .padStart(10, '0')
    .replace(/(\d{5})(\d{5})/, '$1-$2');
