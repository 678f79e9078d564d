import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import { text } from 'node:stream/consumers';
import { inflateRawSync } from 'node:zlib';
import { type Profile, SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import { renderAsking, renderProfile, renderRefused, renderVisitor } from './service-provider-pages.ts';

/** A demo application, served at `/KEY/` of the provider's address. */
export type Application = { key: string; name: string; network: string; certificates: string[] };

type Visit = { request: IncomingMessage; response: ServerResponse; url: URL; visitor: string };
type Route = (visit: Visit) => Promise<void>;

/**
 * Applications that use the identity provider through node-saml. `/KEY/` shows who is signed in, `/KEY/login` and
 * `/KEY/login-by-post` start a sign-in, and `/KEY/logout` signs out everywhere. `/KEY/sls` answers logout requests by
 * redirect, `/KEY/sls-by-post` by POST. Each application has its own session cookie.
 */
export const startServiceProvider = (
  origin: string,
  idpOrigin: string,
  applications: Application[],
): Promise<Server> => {
  const routes = new Map<string, Route>();
  for (const application of applications) {
    for (const [route, handle] of Object.entries(routesOf(origin, idpOrigin, application))) routes.set(route, handle);
  }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', origin);
    const route = routes.get(`${request.method} ${url.pathname}`);
    const visitor = /(?:^|; )visitor=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
    if (!route) {
      response.writeHead(404).end();
      return;
    }
    route({ request, response, url, visitor }).catch((error: unknown) =>
      send(response, renderRefused(String(error)), 403),
    );
  });
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(Number(port), hostname, () => resolve(server));
  });
};

const routesOf = (
  origin: string,
  idpOrigin: string,
  { key, name, network, certificates }: Application,
): Record<string, Route> => {
  const home = `${origin}/${key}`;
  const saml = new SAML({
    issuer: `${home}/metadata`,
    callbackUrl: `${home}/acs`,
    logoutCallbackUrl: `${home}/sls`,
    entryPoint: `${idpOrigin}/saml/${network}/sso`,
    logoutUrl: `${idpOrigin}/saml/${network}/slo`,
    idpIssuer: `${idpOrigin}/saml/${network}/metadata`,
    idpCert: certificates,
    audience: `${home}/metadata`,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: true,
    validateInResponseTo: ValidateInResponseTo.ifPresent,
  });
  const posting = new SAML({ ...saml.options, authnRequestBinding: 'HTTP-POST', skipRequestCompression: true });
  const signedIn = new Map<string, Profile>();

  /** Processes a logout message of the redirect binding. For a request, returns the URL of the response. */
  const signOut = async (url: URL): Promise<string | undefined> => {
    const query = url.search.slice(1);
    const fields = parse(query) as Record<string, string>;
    const { profile } = await saml.validateRedirectAsync(fields, query);
    if (!fields['SAMLRequest'] || !profile) return undefined;
    for (const [visitor, known] of signedIn) if (known.sessionIndex === profile.sessionIndex) signedIn.delete(visitor);
    return saml.getLogoutResponseUrlAsync(profile, fields['RelayState'] ?? '', {}, true);
  };

  return {
    [`GET /${key}/`]: async ({ response, visitor }) => {
      const profile = signedIn.get(visitor);
      send(response, profile ? renderProfile(name, key, profile) : renderVisitor(name, key));
    },
    [`GET /${key}/login`]: async ({ response, url }) =>
      redirect(response, await saml.getAuthorizeUrlAsync(url.searchParams.get('state') ?? '', undefined, {})),
    [`GET /${key}/login-by-post`]: async ({ response }) => {
      const fields = await posting.getAuthorizeMessageAsync('by post');
      send(response, renderAsking(name, `${idpOrigin}/saml/${network}/sso`, fields as Record<string, string>));
    },
    [`POST /${key}/acs`]: async ({ request, response, visitor }) => {
      const fields = parse(await text(request)) as Record<string, string>;
      const { profile } = await saml.validatePostResponseAsync(fields);
      const known = visitor || crypto.randomUUID();
      if (profile) signedIn.set(known, profile);
      response.setHeader('set-cookie', `visitor=${known}; Path=/; HttpOnly`);
      redirect(response, `/${key}/?state=${encodeURIComponent(fields['RelayState'] ?? '')}`);
    },
    [`GET /${key}/logout`]: async ({ response, visitor }) => {
      const profile = signedIn.get(visitor);
      signedIn.delete(visitor);
      redirect(response, profile ? await saml.getLogoutUrlAsync(profile, '', {}) : `/${key}/`);
    },
    [`GET /${key}/sls`]: async ({ response, url }) => redirect(response, (await signOut(url)) ?? `/${key}/`),
    [`GET /${key}/sls-by-post`]: async ({ response, url }) => {
      const answer = await signOut(url);
      if (answer === undefined) return redirect(response, `/${key}/`);
      const { SAMLResponse = '', RelayState = '' } = Object.fromEntries(new URL(answer).searchParams);
      const whole = inflateRawSync(Buffer.from(SAMLResponse, 'base64')).toString('base64');
      return send(
        response,
        renderAsking(name, `${idpOrigin}/saml/${network}/slo`, { SAMLResponse: whole, RelayState }),
      );
    },
  };
};

const send = (response: ServerResponse, html: string, status = 200): void => {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(html);
};

const redirect = (response: ServerResponse, location: string): void => {
  response.writeHead(303, { location }).end();
};
