import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import type { Browser } from './browser.ts';

/**
 * Receives server-sent events over a real socket, as a browser does, so that closing it on either side can be tested.
 */
export const listenTo = async (app: FastifyInstance, path: string, { cookies }: Browser) => {
  const asked = request({
    port: (app.server.address() as AddressInfo).port,
    path,
    headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  });
  asked.end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  let text = '';
  answer.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  // Closing it ourselves ends it with an error.
  answer.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => void answer.once('close', resolve));
  const close = () => void asked.destroy();
  onTestFinished(close);
  /** Waits until the received text is as wanted. */
  const until = async (isWanted: (heard: string) => boolean): Promise<string> => {
    while (!isWanted(text)) await once(answer, 'data');
    return text;
  };
  return { status: answer.statusCode, headers: answer.headers, until, ended, close };
};
