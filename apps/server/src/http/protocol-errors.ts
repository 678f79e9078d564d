import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError, toErrorAnswer } from '@opensocial/contract';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { securityHeaders } from './headers.ts';

/**
 * Answers input that Node cannot parse as a request. There is no reply object, so the response is written to the
 * socket.
 */
export const answerClientErrors =
  (config: Config) =>
  ({ code }: NodeJS.ErrnoException, socket: Socket): void => {
    if (code === 'ECONNRESET' || socket.destroyed) return;
    if (socket.writable) socket.write(toResponse(config, toApiError(code)));
    socket.destroy();
  };

const toApiError = (code: string | undefined): ApiError => {
  if (code === 'HPE_HEADER_OVERFLOW') return new ApiError('too_large', { status: 431 });
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError('bad_request', { status: 408 });
  return new ApiError('bad_request');
};

const toResponse = (config: Config, error: ApiError): string => {
  const { status } = error;
  const body = JSON.stringify(toErrorAnswer(error));
  const headers = {
    ...securityHeaders(config),
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
};

/** Handles errors that Node or Fastify would otherwise answer themselves, without our headers. */
export const installProtocolErrors = (app: FastifyInstance): void => {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onRequest', async ({ raw: { headers, httpVersion } }) => {
    if (headers.host === undefined && httpVersion === '1.1') throw new ApiError('bad_request');
    // A request may still arrive on a keep-alive connection while the server stops. The client has to repeat it at another process.
    if (isClosing) throw new ApiError('unavailable', { retryAfter: 1 });
  });
  // An unknown Expect header is ignored, which RFC 9110 allows.
  app.server.on('checkExpectation', (request, response) => void app.server.emit('request', request, response));
};
