import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import Fastify from 'fastify';
import { describe, expect, onTestFinished, test } from 'vitest';
import { installBodyTimeouts } from './body-timeouts.ts';

/** A server with short timeouts that answers with the length of the body. */
const start = async () => {
  const app = Fastify({ forceCloseConnections: true });
  installBodyTimeouts(app, { total: 200, idle: 200, afterResponse: 200 });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  const length = async (body: AsyncIterable<Buffer>) => {
    let bytes = 0;
    for await (const chunk of body) bytes += chunk.length;
    return String(bytes);
  };
  app.post('/call', (received) => length(received.raw));
  app.post('/upload', { config: { isUpload: true } }, (received) => length(received.raw));
  app.post('/refusal', { config: { isUpload: true } }, async (received, reply) => {
    received.raw.resume();
    return reply.status(403).send('no');
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  return (app.server.address() as AddressInfo).port;
};

const send = async (path: string) => {
  const sent = request({ port: await start(), path, method: 'POST', headers: { 'content-type': 'x/y' } });
  const answered = new Promise<string>((resolve, reject) => {
    sent.on('response', (answer) => resolve(text(answer)));
    sent.on('error', reject);
  });
  const closed = new Promise<'aborted'>((resolve) => void sent.on('close', () => resolve('aborted')));
  return { sent, answered: answered.catch(() => 'aborted'), closed };
};

/** Sends data every 40 milliseconds for some time. */
const drip = async (sent: ReturnType<typeof request>, milliseconds: number) => {
  for (let waited = 0; waited < milliseconds && !sent.destroyed; waited += 40) {
    sent.write('x'.repeat(1_000));
    await pause(40);
  }
};

describe('the body of a request', () => {
  test('is aborted if it takes longer than the total timeout', async () => {
    const { sent, answered } = await send('/call');
    await drip(sent, 600);
    expect(await answered).toBe('aborted');
  });

  test('may take longer if it is an upload that makes progress', async () => {
    const { sent, answered } = await send('/upload');
    await drip(sent, 600);
    sent.end();
    expect(await answered).toBe('15000');
  });

  test('is aborted if it is an upload that makes no progress', async () => {
    const { sent, answered } = await send('/upload');
    sent.write('x');
    expect(await answered).toBe('aborted');
  });

  test('is aborted a moment after the response was sent', async () => {
    const { sent, answered, closed } = await send('/refusal');
    sent.write('x');
    expect(await answered).toBe('no');
    await Promise.race([drip(sent, 5_000), closed]);
    expect(await closed).toBe('aborted');
  });
});
