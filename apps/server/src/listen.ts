import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { type Config, ConfigError } from './config.ts';

type Where = Pick<Config, 'host' | 'port'>;

export const listen = async (app: FastifyInstance, { host, port }: Where): Promise<void> => {
  try {
    await app.listen({ host, port });
  } catch (cause) {
    throw new ConfigError(sentenceOf(cause as NodeJS.ErrnoException, { host, port }), { cause });
  }
};

/** A port that is free now: for PORT 0, where our own address has to be known before we listen. */
export const findFreePort = async ({ host }: Pick<Config, 'host'>): Promise<number> => {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject).listen({ host, port: 0 }, resolve);
    });
  } catch (cause) {
    throw new ConfigError(sentenceOf(cause as NodeJS.ErrnoException, { host, port: 0 }), { cause });
  }
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
};

const sentenceOf = ({ code, message }: NodeJS.ErrnoException, { host, port }: Where): string => {
  if (code === 'EADDRINUSE')
    return `PORT: ${host}:${port} is taken by another program. Stop it, or set PORT to another number.`;
  if (code === 'EACCES') return `PORT: this user may not listen on ${port}. Set PORT to a number above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'HOST: this machine does not have that address.';
  return `HOST, PORT: the server cannot listen there (${message}).`;
};
