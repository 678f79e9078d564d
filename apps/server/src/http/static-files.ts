import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import { ApiError } from '@opensocial/contract';
import { assets } from '@opensocial/signin';
import type { FastifyInstance } from 'fastify';
import { ConfigError } from '../config.ts';
import { sendPage } from './pages.ts';
import { hasMailedToken, tokenPage, tokenPagePolicy } from './token-page.ts';

const builtConsole = fileURLToPath(
  import.meta.resolve('@opensocial/console/package.json').replace('package.json', 'dist/'),
);
const signinFolder = fileURLToPath(import.meta.resolve('@opensocial/signin').replace('index.js', ''));

/** Paths of the server itself. An unknown path below them is an error and not a screen of the console. */
const ownPrefixes = /^\/(server|prxy|saml|signin|assets|healthz|readyz|metrics)(\/|$)/;

const isDecodable = (pathname: string): boolean => {
  try {
    decodeURI(pathname);
    return true;
  } catch {
    return false;
  }
};

/** The router rejects URLs that cannot be decoded. For screens of the console such a URL is replaced, so that the console can show its own error. */
export const toRoutable = ({ url = '/' }: { url?: string | undefined }): string => {
  const [pathname = ''] = url.split('?');
  return ownPrefixes.test(pathname) || isDecodable(pathname) ? url : '/undecodable';
};

/** Serves the built files of the console and the sign-in pages. Files with a hash in their name are cached for ever, index.html is not. */
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
    if (hasMailedToken(request.url)) return sendPage(reply, tokenPage, tokenPagePolicy);
    return reply.header('cache-control', 'no-cache').sendFile('index.html');
  });
};
