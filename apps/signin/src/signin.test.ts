import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  assets,
  autoPostScriptHash,
  type OpenApiDocument,
  renderApiReference,
  renderAutoPost,
  renderByMail,
  renderError,
  renderFramedOutcome,
  renderLeaving,
  renderLogoutConfirm,
  renderSignedOut,
  renderSignIn,
  renderSigningOut,
  renderSiteTest,
  renderVerify,
} from './index.ts';

const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>';
const form = { action: '/signin/1', csrf: hostile, email: hostile, error: hostile };
const look = {
  network: { name: hostile, title: hostile, logoUrl: 'javascript:alert(1)', backgroundUrl: hostile },
  site: { name: hostile, iconColor: hostile, iconBackground: 'url(https://elsewhere.example)' },
  announcement: { title: hostile, message: hostile },
  termsUrl: 'javascript:alert(1)',
  helpEmail: `a@b.example?cc=${hostile}`,
};
const openapi: OpenApiDocument = {
  info: { title: hostile, version: hostile },
  paths: { [`/${hostile}`]: { get: { summary: hostile, 'x-access': hostile, responses: { 200: {} } } } },
};

const scriptless = {
  'sign-in': renderSignIn({ look, form, continueTo: { site: hostile, otherSignInUrl: '/signin/1/again' } }),
  'signed out': renderSignedOut({ look, signInUrl: '/', sitesStillSignedIn: [{ name: hostile, isRetried: true }] }),
  'logout confirm': renderLogoutConfirm({ look, action: '/', csrf: hostile, stayUrl: '/' }),
  leaving: renderLeaving({ look, label: hostile, url: 'https://id.example/?a="><script>' }),
  error: renderError({ look, title: hostile, message: hostile, reference: hostile }),
  'test of a sign-in': renderSiteTest({
    look,
    verdict: { outcome: 'no', title: hostile, text: hostile },
    parts: [
      {
        title: hostile,
        checks: [{ label: hostile, outcome: 'no', text: hostile }],
        messages: [{ title: hostile, text: hostile }],
      },
    ],
    form: { action: '/signin-test/northlab/1', csrf: hostile, attempt: hostile, label: hostile },
  }),
  'API reference': renderApiReference({ openapi }),
};
const signingOut = renderSigningOut({
  look,
  action: '/saml/northlab/slo/continue',
  fields: { csrf: hostile },
  sites: [
    { name: hostile, request: { redirect: 'https://wiki.example/?a="><script>' } },
    { name: 'Posted', request: { form: { action: 'https://wiki.example/', fields: { RelayState: hostile } } } },
    { name: 'Visited later', request: undefined },
  ],
});
const autoPost = renderAutoPost({ title: 'Signing you in…', action: '/acs', fields: { [hostile]: hostile } });

test.each(Object.entries(scriptless))('the %s page has no script, whatever its input is', (_, html) => {
  expect(html).toMatch(/^<!doctype html><html lang="en">/);
  expect(html).not.toMatch(/<script|<img src="?x|javascript:|url\(https/i);
});

test.each(Object.entries({ ...scriptless, 'auto-post': autoPost, 'signing out': signingOut }))(
  'the %s page has no inline style',
  (_, html) => {
    expect(html).not.toMatch(/<style|<[^>]*\sstyle=/i);
  },
);

test('the auto-post page has one script, and its hash is the exported one', () => {
  const scripts = [...autoPost.matchAll(/<script>(.*?)<\/script>/g)].map(([, text = '']) => text);
  expect(scripts.map((text) => `sha256-${createHash('sha256').update(text).digest('base64')}`)).toEqual([
    autoPostScriptHash,
  ]);
});

test('a page with a passkey form has one script, a file of ours, which shows the form', () => {
  const request = { rpId: hostile, challenge: 'AA' };
  const pages = [
    renderSignIn({ look, form: { ...form, error: undefined }, passkey: { action: '/signin/1/passkey', request } }),
    renderVerify({
      look,
      form: { ...form, sendAction: '/', againAction: '/' },
      factor: 'passkey',
      email: hostile,
      isSent: false,
      resendIn: 0,
      sendsMail: true,
      request,
      others: ['recovery'],
      rememberDays: 30,
    }),
  ];
  const address = assets.passkeyScript.path.replaceAll('&', '&amp;');
  for (const html of pages) {
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).toContain(`<script type="module" src="${address}" blocking="render"></script>`);
    expect(html.match(/<form[^>]*data-passkey=[^>]*>/g)).toEqual([expect.stringContaining(' hidden=""')]);
    expect(html).not.toMatch(/<img src="?x|<style|<[^>]*\sstyle=/i);
  }
});

test('without a mail server, pages say where links and codes are, and promise no mail', () => {
  const pages = (sendsMail: boolean) => [
    ...(['sign-up', 'forgot', 'resend'] as const).map((reason) =>
      renderByMail({ look, reason, sendsMail, sentTo: 'ana@northlab.org', form: { ...form, backUrl: '/' } }),
    ),
    renderVerify({
      look,
      form: { ...form, sendAction: '/', againAction: '/' },
      factor: 'email',
      email: 'a…@northlab.org',
      isSent: true,
      resendIn: 0,
      sendsMail,
      others: [],
      rememberDays: 0,
    }),
  ];
  expect(pages(false).map((html) => html.includes('ask for an invitation link'))).toEqual([false, true, true, false]);
  for (const html of pages(false)) {
    expect(html).toMatch(/stored on the server.*administrator/);
    expect(html).not.toMatch(/on its way|Check your email/);
  }
  for (const html of pages(true)) expect(html).not.toContain('stored on the server');
  for (const html of pages(true).slice(0, 3)) expect(html).toMatch(/Check your email.*on its way/);
});

test('the page that signs out in frames has one script, a file of ours, and a form that works without it', () => {
  expect(signingOut.match(/<script/g)).toHaveLength(1);
  expect(signingOut).toContain(`<script type="module" src="${assets.logoutScript.path.replaceAll('&', '&amp;')}"`);
  expect(signingOut).not.toMatch(/<iframe|<img src="?x/i);
  expect(signingOut.match(/<li /g)).toHaveLength(3);
  expect(signingOut.match(/ data-request="/g)).toHaveLength(2);
  expect(signingOut).toMatch(
    /<form [^>]*action="\/saml\/northlab\/slo\/continue" method="post">.*Continue<\/button><\/form>/,
  );
});

test('a frame refuses a javascript: address', () => {
  const page = { action: '/', fields: {} };
  for (const request of [{ redirect: 'javascript:alert(1)' }, { form: { action: 'javascript:alert(1)', fields: {} } }])
    expect(() => renderSigningOut({ ...page, sites: [{ name: 'Wiki', request }] })).toThrow(TypeError);
});

test('the document in a frame has its outcome and nothing else', () => {
  expect(renderFramedOutcome('informed')).toMatch(/^<!doctype html><html lang="en" data-outcome="informed">/);
  expect(renderFramedOutcome('failed')).not.toMatch(/<script|<style|<a |<img/);
});

test('an auto-post page is a whole document around the form of its fields', () => {
  const html = renderAutoPost({
    title: 'Signing you out…',
    action: '/sls',
    fields: { SAMLResponse: 'a+b', RelayState: 'é…😀' },
  });
  expect(html).toMatch(/^<!doctype html><html lang="en">.*<title>Signing you out&#8230;.*<\/html>$/);
  expect(html.match(/<form.*<\/form>/)?.[0]).toBe(
    '<form action="/sls" method="post"><input type="hidden" name="SAMLResponse" value="a+b"/>' +
      '<input type="hidden" name="RelayState" value="é…😀"/><button class="button button-primary" type="submit">Continue</button></form>',
  );
});

test('an auto-post form refuses a javascript: address', () => {
  expect(() => renderAutoPost({ title: 'Signing you in…', action: 'javascript:alert(1)', fields: {} })).toThrow(
    TypeError,
  );
});

test('the page before a provider redirects by itself or with its button, and refuses a javascript: address', () => {
  const html = renderLeaving({ label: 'Google', url: 'https://id.example/auth?state=a&nonce=b' });
  const address = 'https://id.example/auth?state=a&amp;nonce=b';
  expect(html.slice(0, html.indexOf('</head>'))).toContain(`<meta http-equiv="refresh" content="0; url=${address}"/>`);
  expect(html).toContain(`href="${address}"`);
  expect(() => renderLeaving({ label: 'Google', url: 'javascript:alert(1)' })).toThrow(TypeError);
});

test('an error is an alert that both fields refer to, the email is kept and the password has the focus', () => {
  const html = renderSignIn({
    look: { network: { name: 'northlab' } },
    form: { action: '/', csrf: 'x', email: 'ana@northlab.org', error: 'Not right.' },
  });
  const [, email = '', password = ''] = html.match(/<input [^>]*>/g) ?? [];
  const [, id] = /role="alert".*?<p id="([^"]+)">Not right\.<\/p>/.exec(html) ?? [];
  for (const field of [email, password]) expect(field).toContain(`aria-invalid="true" aria-describedby="${id}"`);
  expect(email).toContain('value="ana@northlab.org"');
  expect(email).not.toContain('autofocus');
  expect(password).toContain('autofocus');
});
