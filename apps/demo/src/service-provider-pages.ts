import type { Profile } from '@node-saml/node-saml';
import { createElement as h, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 640px; margin: 12vh auto; padding: 0 20px; }
h1 { font-size: 28px; letter-spacing: -0.02em; margin: 0 0 4px; }
table { width: 100%; margin: 24px 0; border-collapse: collapse; }
th, td { padding: 8px 12px 8px 0; border-top: 1px solid color-mix(in srgb, currentColor 15%, transparent); text-align: left; overflow-wrap: anywhere; }
a, button { display: inline-block; padding: 10px 18px; border: 0; border-radius: 10px; background: #0f766e; color: #fff; font: inherit; font-weight: 600; text-decoration: none; }`;

const page = (title: string, ...children: ReactNode[]): string =>
  `<!doctype html>${renderToStaticMarkup(
    h(
      'html',
      { lang: 'en' },
      h(
        'head',
        null,
        h('meta', { name: 'viewport', content: 'width=device-width' }),
        h('title', null, title),
        h('style', null, style),
      ),
      h('body', null, h('main', null, ...children)),
    ),
  )}`;

/** What an application received about a person: the attributes first, then the data of the assertion. */
export const renderProfile = (name: string, key: string, profile: Profile): string => {
  const attributes = Object.entries(profile.attributes as Record<string, unknown>);
  const about = {
    NameID: profile.nameID,
    'NameID format': profile.nameIDFormat,
    'Session index': profile.sessionIndex,
    Issuer: profile.issuer,
  };
  return page(
    name,
    h('h1', null, `Signed in as ${profile.nameID}`),
    h('p', null, `${name} received this from the identity provider:`),
    h(
      'table',
      null,
      h(
        'tbody',
        null,
        ...[...attributes, ...Object.entries(about)].map(([attribute, value]) =>
          h('tr', { key: attribute }, h('th', { scope: 'row' }, attribute), h('td', null, [value].flat().join(', '))),
        ),
      ),
    ),
    h('a', { href: `/${key}/logout` }, 'Sign out'),
  );
};

export const renderVisitor = (name: string, key: string): string =>
  page(
    name,
    h('h1', null, 'Signed out'),
    h('p', null, `Nobody is signed in to ${name}.`),
    h('a', { href: `/${key}/login` }, 'Sign in'),
  );

/** A self-submitting form for a message of the POST binding. */
export const renderAsking = (name: string, action: string, fields: Record<string, string>): string =>
  page(
    name,
    h(
      'form',
      { method: 'post', action },
      ...Object.entries(fields).map(([field, value]) => h('input', { key: field, type: 'hidden', name: field, value })),
      h('button', { type: 'submit' }, 'Continue'),
    ),
    h('script', { dangerouslySetInnerHTML: { __html: 'document.forms[0].submit()' } }),
  );

export const renderRefused = (reason: string): string =>
  page('Refused', h('h1', null, 'Refused'), h('p', null, reason));
