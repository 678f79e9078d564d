import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import { text } from 'node:stream/consumers';
import { type Profile, SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import { providerOrigin } from './world.ts';

export type ProviderOptions = { idpOrigin: string; network: string; certificates: string[] };

/**
 * A small application behind the identity provider, made with node-saml: `/` shows who is signed in, `/login` and
 * `/login-by-post` ask, `/logout` signs out everywhere. It remembers people by a cookie of its own.
 */
export const startProvider = ({ idpOrigin, network, certificates }: ProviderOptions): Promise<Server> => {
  const saml = new SAML({
    issuer: `${providerOrigin}/metadata`,
    callbackUrl: `${providerOrigin}/acs`,
    logoutCallbackUrl: `${providerOrigin}/sls`,
    entryPoint: `${idpOrigin}/saml/${network}/sso`,
    logoutUrl: `${idpOrigin}/saml/${network}/slo`,
    idpIssuer: `${idpOrigin}/saml/${network}/metadata`,
    idpCert: certificates,
    audience: `${providerOrigin}/metadata`,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: true,
    validateInResponseTo: ValidateInResponseTo.ifPresent,
    skipRequestCompression: false,
  });
  const posting = new SAML({ ...saml.options, authnRequestBinding: 'HTTP-POST', skipRequestCompression: true });
  const sessions = new Map<string, Profile>();

  const visitorOf = (request: IncomingMessage) => /visitor=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '';

  const routes: Record<string, (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void>> = {
    'GET /': async (request, response) => {
      const profile = sessions.get(visitorOf(request));
      sendHtml(
        response,
        profile
          ? `<h1>Signed in as ${escape(profile.nameID)}</h1><pre>${escape(JSON.stringify(profile, null, 1))}</pre><a href="/logout">Sign out</a>`
          : '<h1>Signed out</h1><a href="/login">Sign in</a>',
      );
    },
    'GET /login': async (_request, response, url) =>
      redirect(response, await saml.getAuthorizeUrlAsync(url.searchParams.get('state') ?? '', undefined, {})),
    'GET /login-by-post': async (_request, response) =>
      sendHtml(response, await posting.getAuthorizeFormAsync('by post')),
    'POST /acs': async (request, response) => {
      const fields = parse(await text(request)) as Record<string, string>;
      const { profile } = await saml.validatePostResponseAsync(fields);
      const visitor = crypto.randomUUID();
      if (profile) sessions.set(visitor, profile);
      response.setHeader('set-cookie', `visitor=${visitor}; Path=/; HttpOnly`);
      redirect(response, `/?state=${encodeURIComponent(fields['RelayState'] ?? '')}`);
    },
    'GET /logout': async (request, response) => {
      const profile = sessions.get(visitorOf(request));
      sessions.delete(visitorOf(request));
      redirect(response, profile ? await saml.getLogoutUrlAsync(profile, '', {}) : '/');
    },
    'GET /sls': async (_request, response, url) => {
      const query = url.search.slice(1);
      const fields = parse(query) as Record<string, string>;
      const { profile } = await saml.validateRedirectAsync(fields, query);
      if (!fields['SAMLRequest'] || !profile) return redirect(response, '/');
      for (const [visitor, known] of sessions)
        if (known.sessionIndex === profile.sessionIndex) sessions.delete(visitor);
      redirect(response, await saml.getLogoutResponseUrlAsync(profile, fields['RelayState'] ?? '', {}, true));
    },
  };

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', providerOrigin);
    const route = routes[`${request.method} ${url.pathname}`];
    if (!route) return void response.writeHead(404).end();
    route(request, response, url).catch((error: unknown) =>
      sendHtml(response, `<h1>Refused</h1><p>${escape(String(error))}</p>`),
    );
  });
  return new Promise((resolve) =>
    server.listen(Number(new URL(providerOrigin).port), '127.0.0.1', () => resolve(server)),
  );
};

const sendHtml = (response: ServerResponse, html: string): void => {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
};

const redirect = (response: ServerResponse, location: string): void => {
  response.writeHead(303, { location }).end();
};

const escape = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
