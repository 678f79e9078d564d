import { createServer, type Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { type Config, ConfigError } from '../config.ts';

type Where = Pick<Config, 'host' | 'port'>;

export const listen = async (app: FastifyInstance, { host, port }: Where): Promise<void> => {
  try {
    await app.listen({ host, port });
  } catch (cause) {
    throw new ConfigError(listenErrorMessage(cause as NodeJS.ErrnoException, { host, port }), { cause });
  }
};

/** The same for a plain HTTP server, whose settings have a prefix. */
export const listenOn = (server: Server, where: Where, prefix: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (cause) => reject(new ConfigError(listenErrorMessage(cause, where, prefix), { cause })));
    server.listen(where, resolve);
  });

/** Finds a free port, for PORT 0: our own URL has to be known before we listen. */
export const findFreePort = async ({ host }: Pick<Config, 'host'>): Promise<number> => {
  const probe = createServer();
  await listenOn(probe, { host, port: 0 }, '');
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
};

const listenErrorMessage = ({ code, message }: NodeJS.ErrnoException, { host, port }: Where, prefix = ''): string => {
  if (code === 'EADDRINUSE')
    return `${prefix}PORT: ${host}:${port} is in use by another program. Stop it, or set ${prefix}PORT to another number.`;
  if (code === 'EACCES')
    return `${prefix}PORT: this user may not listen on ${port}. Set ${prefix}PORT to a number above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `${prefix}HOST: this machine does not have that address.`;
  return `${prefix}HOST, ${prefix}PORT: the server cannot listen there (${message}).`;
};
