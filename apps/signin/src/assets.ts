import { join } from 'node:path';
import font from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import favicon from '@opensocial/look/favicon.svg?url';
// oxlint-disable-next-line import/default -- Vite answers the address; as it does with a worker, it bundles the file by itself
import logoutScript from './logout-script.ts?worker&url';
// oxlint-disable-next-line import/default -- as above
import passkeyScript from './passkey-script.ts?worker&url';
// oxlint-disable-next-line import/default -- as above
import resendScript from './resend-script.ts?worker&url';
import referenceStylesheet from './styles/reference.css?url';
import stylesheet from './styles/sign-in.css?url';

/** `path` is the URL path in pages, `file` the location on disk. A hashed path may be cached forever. */
export type Asset = { path: string; file: string; type: string; hashed: boolean };

const fileOf = (built: string): string => join(import.meta.dirname, built.replace(/^\/signin\//, ''));

const hashed = (built: string, type: string): Asset => ({ path: built, file: fileOf(built), type, hashed: true });

export const assets = {
  stylesheet: hashed(stylesheet, 'text/css; charset=utf-8'),
  referenceStylesheet: hashed(referenceStylesheet, 'text/css; charset=utf-8'),
  logoutScript: hashed(logoutScript, 'text/javascript; charset=utf-8'),
  passkeyScript: hashed(passkeyScript, 'text/javascript; charset=utf-8'),
  resendScript: hashed(resendScript, 'text/javascript; charset=utf-8'),
  font: hashed(font, 'font/woff2'),
  favicon: { path: '/favicon.svg', file: fileOf(favicon), type: 'image/svg+xml', hashed: false },
} satisfies Record<string, Asset>;
