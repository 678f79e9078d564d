import { createHash } from 'node:crypto';
import { activationLinkKey } from '@opensocial/contract';

/**
 * Moves the link from the address to the session storage of the tab and goes on to the console, which reads it from there.
 * The link replaces an earlier one.
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
      'Your browser does not let this page store anything. Allow cookies and site data for this site, then open the link in your mail again.';
  }
}`;

const scriptHash = createHash('sha256').update(script).digest('base64');

/**
 * Answers the link in a mail. The page loads no other resource, so that nothing but its own request has the token in an
 * address; the empty icon keeps browsers from asking for /favicon.ico.
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
<noscript>This page needs JavaScript. Switch it on, then open the link in your mail again.</noscript>
<script>${script}</script>
</body>
</html>
`;

export const tokenPagePolicy = [
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  'img-src data:',
  `script-src 'sha256-${scriptHash}'`,
].join('; ');

/** In every spelling that the console takes for its activation screen. */
const setPasswordPath = /^\/+set-password\/*$/i;

/** Whether a request brings the token of a mailed link. The address is decodable: `toRoutable` sees to that. */
export const bringsToken = (url: string): boolean => {
  const [pathname = '', search = ''] = url.split(/\?(.*)/s);
  return setPasswordPath.test(decodeURI(pathname)) && new URLSearchParams(search).has('token');
};
