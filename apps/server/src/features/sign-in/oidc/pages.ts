import type { KoaContextWithOIDC } from 'oidc-provider';
import { pagePolicy } from '../../../http/headers.ts';

/** Answers a request that the library handles with a page that the server has rendered. */
export const writePage = (ctx: KoaContextWithOIDC, html: string): void => {
  ctx.type = 'html';
  ctx.set('content-security-policy', pagePolicy());
  ctx.set('cache-control', 'no-store');
  ctx.body = html;
};
