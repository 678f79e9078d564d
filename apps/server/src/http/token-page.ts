import { createHash } from 'node:crypto';
import { activationLinkKey } from '@opensocial/contract';

/**
 * Moves the token from the URL to the session storage of the tab and opens the console, which reads it from there. It replaces the token
 * of an earlier link.
 */
const script = `{
  const query = new URLSearchParams(location.search);
  history.replaceState(null, '', '/set-password');
  try {
    const link = { email: query.get('email') ?? '', token: query.get('token') ?? '' };
    sessionStorage.setItem('${activationLinkKey}', JSON.stringify(link));
    location.replace('/set-password');
  } catch {
    document.body.textContent =
      'Your browser does not let this page store anything. Allow cookies and site data for this site, then open the link in your email again.';
  }
}`;

const scriptHash = createHash('sha256').update(script).digest('base64');

/**
 * The page for the link in a mail. It loads no other resource, so that no other request has the token in a URL or referrer. The empty icon
 * keeps browsers from requesting /favicon.ico.
 */
export const tokenPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>Account Confirmation · OpenSocial</title>
<link rel="icon" href="data:,">
</head>
<body>
<noscript>This page needs JavaScript. Switch it on, then open the link in your email again.</noscript>
<script>${script}</script>
</body>
</html>
`;

export const tokenPagePolicy = [
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
  'img-src data:',
  `script-src 'sha256-${scriptHash}'`,
].join('; ');

/** All spellings of the path that the console accepts for its activation screen. */
const setPasswordPath = /^\/+set-password\/*$/i;

/** Whether a URL has the token of a mailed link. `toRoutable` guarantees that it can be decoded. */
export const hasMailedToken = (url: string): boolean => {
  const [pathname = '', search = ''] = url.split(/\?(.*)/s);
  return setPasswordPath.test(decodeURI(pathname)) && new URLSearchParams(search).has('token');
};
