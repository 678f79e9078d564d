import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import { ApiError } from '@opensocial/contract';
import { assets } from '@opensocial/signin';
import type { FastifyInstance } from 'fastify';
import { ConfigError } from '../config.ts';
import { sendPage } from './pages.ts';
import { bringsToken, tokenPage, tokenPagePolicy } from './token-page.ts';

const builtConsole = fileURLToPath(
  import.meta.resolve('@opensocial/console/package.json').replace('package.json', 'dist/'),
);
const signinFolder = fileURLToPath(import.meta.resolve('@opensocial/signin').replace('index.js', ''));

/** Addresses that are the server's own: an unknown one there is an error, not a screen of the console. */
const ownPrefixes = /^\/(server|prxy|saml|signin|assets|healthz|readyz|metrics)(\/|$)/;

const isDecodable = (pathname: string): boolean => {
  try {
    decodeURI(pathname);
    return true;
  } catch {
    return false;
  }
};

/** Our router takes no address that cannot be decoded. In place of a page's it gets one that it takes; what the page is, the console decides. */
export const toRoutable = ({ url = '/' }: { url?: string | undefined }): string => {
  const [pathname = ''] = url.split('?');
  return ownPrefixes.test(pathname) || isDecodable(pathname) ? url : '/undecodable';
};

/** The browser parts, built and compressed beforehand. A hashed name never changes; the page that names it always may. */
export const installStaticFiles = async (app: FastifyInstance, consoleFolder = builtConsole): Promise<void> => {
  if (!existsSync(`${consoleFolder}index.html`)) throw new ConfigError('The console is not built. Run: npm run build');
  const immutable = { immutable: true, maxAge: '1y', preCompressed: true, index: false as const, decorateReply: false };
  await app.register(fastifyStatic, { ...immutable, root: `${consoleFolder}assets/`, prefix: '/assets/' });
  await app.register(fastifyStatic, { ...immutable, root: `${signinFolder}assets/`, prefix: '/signin/assets/' });
  await app.register(fastifyStatic, {
    root: consoleFolder,
    serve: false,
    preCompressed: true,
    cacheControl: false,
  });
  app.get(assets.favicon.path, (_request, reply) =>
    reply
      .header('cache-control', 'max-age=86400')
      .sendFile(basename(assets.favicon.file), dirname(assets.favicon.file)),
  );
  app.setNotFoundHandler((request, reply) => {
    const [pathname = ''] = request.url.split('?');
    if (!['GET', 'HEAD'].includes(request.method) || ownPrefixes.test(pathname)) throw new ApiError('not_found');
    if (bringsToken(request.url)) return sendPage(reply, tokenPage, tokenPagePolicy);
    return reply.header('cache-control', 'no-cache').sendFile('index.html');
  });
};
