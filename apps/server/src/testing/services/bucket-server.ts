import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignatureV4 } from '@smithy/signature-v4';
import { afterFile } from '../machine/cleanup.ts';

const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'a secret/with+signs' };
const region = 'eu-central-1';

/**
 * A bucket that implements the parts of S3 that we use, and verifies every signature with AWS's own code. Closed after
 * the tests of the file.
 */
export const startBucketServer = async () => {
  const objects = new Map<string, Buffer>();
  const answers: number[] = [];
  let failure: 'errors' | 'silence' | undefined;

  const answer = async (request: IncomingMessage): Promise<{ status: number; body?: Buffer }> => {
    const body = Buffer.concat(await request.toArray());
    if (!(await isSigned(request, body))) return { status: 403 };
    const key = request.url ?? '';
    const stored = objects.get(key);
    if (request.method === 'PUT') objects.set(key, body);
    if (request.method === 'DELETE') objects.delete(key);
    if (request.method !== 'GET') return { status: request.method === 'PUT' ? 200 : 204 };
    return stored ? { status: 200, body: stored } : { status: 404 };
  };
  const server = createServer(async (request, response) => {
    if (failure === 'silence') return;
    const { status, body } = failure === 'errors' ? { status: 500, body: undefined } : await answer(request);
    answers.push(status);
    response.writeHead(status, body && { 'content-length': body.length }).end(body);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  afterFile(() => server.close());
  const { port } = server.address() as AddressInfo;
  const urlWith = (secret: string) =>
    `s3+http://${credentials.accessKeyId}:${encodeURIComponent(secret)}@127.0.0.1:${port}/pictures/of-tests?region=${region}`;
  return {
    url: urlWith(credentials.secretAccessKey),
    urlWith,
    objects,
    answers,
    close: () => server.close(),
    /** Every request fails from now on, or is never answered. Without a failure, all is well again. */
    fail: (how?: 'errors' | 'silence') => {
      failure = how;
    },
  };
};

class Sha256 {
  readonly #hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as Buffer);
  }

  update(data: Uint8Array | string): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    throw new Error('A digest is made once.');
  }
}

const judge = new SignatureV4({ service: 's3', region, credentials, sha256: Sha256, uriEscapePath: false });

const toDate = (written: string): Date =>
  new Date(written.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

/** Whether the request is signed as AWS would sign it, and the body is the signed one. */
const isSigned = async (request: IncomingMessage, body: Buffer): Promise<boolean> => {
  const { authorization = '', host = '' } = request.headers;
  const named = (/SignedHeaders=([^,]+)/.exec(authorization)?.[1] ?? '').split(';');
  const headers = Object.fromEntries(named.map((name) => [name, String(request.headers[name])]));
  const digest = headers['x-amz-content-sha256'];
  if (request.method === 'PUT' && digest !== createHash('sha256').update(body).digest('hex')) return false;
  const signed = await judge.sign(
    { method: request.method ?? '', protocol: 'http:', hostname: host, path: request.url ?? '', headers, query: {} },
    { signingDate: toDate(headers['x-amz-date'] ?? ''), signableHeaders: new Set(named) },
  );
  return signed.headers['authorization'] === authorization;
};
