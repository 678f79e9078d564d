import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '../testing/app/test-app.ts';

let testApp: TestApp;
let port: number;
const arrived = Promise.withResolvers<void>();
const slow = Promise.withResolvers<void>();
beforeAll(async () => {
  testApp = await buildTestApp();
  testApp.app.get('/slow', async () => {
    arrived.resolve();
    return slow.promise.then(() => 'done');
  });
  await testApp.app.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = testApp.app.server.address() as { port: number });
});

/** Writes raw bytes to a connection and returns the response. */
const send = async (raw: string) => {
  const socket = connect(port, '127.0.0.1');
  socket.write(raw);
  return toAnswer(await text(socket));
};

const toAnswer = (received: string) => {
  const [head = '', ...rest] = received.split('\r\n\r\n');
  const [line = '', ...headers] = head.split('\r\n');
  return { status: Number(line.split(' ')[1]), headers: headers.join('\n').toLowerCase(), body: rest.join('\r\n\r\n') };
};

const usual = 'Host: localhost:8080\r\nConnection: close\r\n';
const json = `${usual}Content-Type: application/json\r\n`;

const expectStrict = (headers: string) => {
  expect(headers).toContain("content-security-policy: default-src 'none'");
  expect(headers).toContain('x-content-type-options: nosniff');
  expect(headers).toContain('referrer-policy: no-referrer');
  expect(headers).toContain('cross-origin-opener-policy: same-origin');
  expect(headers).toContain('cross-origin-resource-policy: same-origin');
};

describe('an answer to a broken request has every header', () => {
  test.for([
    ['an address that cannot be decoded', `GET /server/%ff HTTP/1.1\r\n${usual}\r\n`, 400],
    ['a file that cannot be decoded', `GET /assets/%ff HTTP/1.1\r\n${usual}\r\n`, 400],
    ['a segment that is too long', `GET /server/sso/owner/${'x'.repeat(5_000)} HTTP/1.1\r\n${usual}\r\n`, 400],
    ['an address nobody serves', `GET /server/nothing HTTP/1.1\r\n${usual}\r\n`, 404],
    ['a method nobody serves', `DELETE /server/getsession HTTP/1.1\r\n${usual}\r\n`, 404],
    ['a method of another protocol', `PROPFIND /server/getsession HTTP/1.1\r\n${usual}\r\n`, 404],
    ['a method that Node does not know', `FOO / HTTP/1.1\r\n${usual}\r\n`, 400],
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['no Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['a large body', `POST /prxy/api/user/verify_token HTTP/1.1\r\n${json}Content-Length: 999999\r\n\r\n`, 413],
    [
      'another content type',
      `POST /prxy/api/user/verify_token HTTP/1.1\r\n${usual}Content-Type: text/csv\r\nContent-Length: 1\r\n\r\nx`,
      400,
    ],
    ['large headers', `GET / HTTP/1.1\r\n${usual}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['a range that is not there', `GET /favicon.svg HTTP/1.1\r\n${usual}Range: bytes=9999999-\r\n\r\n`, 400],
  ] as const)('%s', async ([, raw, status]) => {
    const answer = await send(raw);
    expect(answer.status).toBe(status);
    expectStrict(answer.headers);
    expect(answer.headers).toContain('content-type: application/json; charset=utf-8');
    expect(answer.headers).toContain('cache-control: no-store');
    expect(Object.keys(JSON.parse(answer.body) as object).toSorted()).toEqual(['code', 'error', 'message']);
  });

  test('an unknown Expect header is ignored', async () => {
    const answer = await send(`GET /healthz HTTP/1.1\r\n${usual}Expect: wonders\r\n\r\n`);
    expect(answer.status).toBe(200);
    expectStrict(answer.headers);
  });

  test.for([
    ['/server/%ff', 400],
    ['/assets/%ff', 400],
    ['/server/nothing', 404],
    ['/server/getsession/further', 404],
  ] as const)('and is a page where a browser navigates: %s', async ([path, status]) => {
    const answer = await send(`GET ${path} HTTP/1.1\r\n${usual}Accept: text/html,application/xhtml+xml\r\n\r\n`);
    expect(answer.status).toBe(status);
    expectStrict(answer.headers);
    expect(answer.headers).toContain('content-type: text/html; charset=utf-8');
    expect(answer.body).toContain('<!doctype html>');
  });

  test('and so has a response while the server stops', async () => {
    const socket = connect(port, '127.0.0.1');
    const received = text(socket);
    socket.write('GET /slow HTTP/1.1\r\nHost: localhost:8080\r\n\r\n');
    await arrived.promise;
    const closing = testApp.app.close();
    const came = once(testApp.app.server, 'request');
    socket.write(`GET /server/getsession HTTP/1.1\r\n${usual}\r\n`);
    await came;
    slow.resolve();
    const [, second = ''] = (await received).split(/(?<=done)(?=HTTP)/);
    expect(toAnswer(second).status).toBe(503);
    expectStrict(toAnswer(second).headers);
    await closing;
  });
});
