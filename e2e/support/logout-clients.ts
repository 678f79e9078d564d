import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type LogoutClient, logoutNetwork, origin, otherSiteOrigin } from './world.ts';

type Claims = { sub: string; sid: string; email: string };
type Session = Claims & { idToken: string };
type Visit = { request: IncomingMessage; response: ServerResponse; url: URL; key: LogoutClient };

const issuer = `${origin}/oidc/${logoutNetwork}`;
const addressOf = (key: LogoutClient, page: string) => `${otherSiteOrigin}/${key}/${page}`;

/** The sessions of the applications by the value of their cookie. */
const sessions = new Map<string, Session>();
/** The code verifiers of sign-ins in progress, by their state. */
const verifiers = new Map<string, string>();

const cookieOf = ({ request, key }: Visit) =>
  new RegExp(`(?:^|; )client-${key}=([^;]+)`).exec(request.headers.cookie ?? '')?.[1] ?? '';
const endSession = (sid: string | null): void => {
  for (const [cookie, session] of sessions) if (session.sid === sid) sessions.delete(cookie);
};
const claimsOf = (token: string): Claims => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

const send = (response: ServerResponse, html: string) =>
  void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(`<!doctype html>${html}`);
const redirect = (response: ServerResponse, location: string) => void response.writeHead(303, { location }).end();

const beginSignIn = ({ response, key }: Visit): void => {
  const [verifier, state] = [randomBytes(32).toString('base64url'), randomBytes(16).toString('base64url')];
  verifiers.set(state, verifier);
  const parameters = new URLSearchParams({
    client_id: `${key}-client`,
    response_type: 'code',
    scope: 'openid email',
    redirect_uri: addressOf(key, 'callback'),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state,
  });
  redirect(response, `${issuer}/auth?${parameters}`);
};

const finishSignIn = async ({ response, url, key }: Visit): Promise<void> => {
  const answer = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: url.searchParams.get('code') ?? '',
      redirect_uri: addressOf(key, 'callback'),
      client_id: `${key}-client`,
      code_verifier: verifiers.get(url.searchParams.get('state') ?? '') ?? '',
    }),
  });
  const { id_token: idToken = '..' } = (await answer.json()) as { id_token?: string };
  const cookie = randomBytes(16).toString('base64url');
  sessions.set(cookie, { ...claimsOf(idToken), idToken });
  response.setHeader('set-cookie', `client-${key}=${cookie}; Path=/; HttpOnly; SameSite=Lax`);
  redirect(response, `/${key}/`);
};

/** The links for signing out: with the ID token of the session, as applications do, and without it. */
const showHome = (visit: Visit): void => {
  const { key, response } = visit;
  const session = sessions.get(cookieOf(visit));
  if (!session) return send(response, '<h1>Signed out</h1>');
  const link = (name: string, parameters: Record<string, string>) =>
    `<a href="${issuer}/logout?${new URLSearchParams({ ...parameters, post_logout_redirect_uri: addressOf(key, 'bye'), state: 'x' })}">${name}</a>`;
  return send(
    response,
    `<h1>Signed in as ${session.email}</h1>
      ${link('Sign out', { id_token_hint: session.idToken })} ${link('Sign out without proof', { client_id: `${key}-client` })}`,
  );
};

const routes: Record<string, (visit: Visit) => void | Promise<void>> = {
  'GET ': showHome,
  'GET login': beginSignIn,
  'GET callback': finishSignIn,
  'GET bye': ({ response, url }) => send(response, `<h1>Goodbye</h1><p>${url.searchParams.get('state') ?? ''}</p>`),
  // In a frame. The browser withholds the cookie, so the session is found by its id. One of the applications does not answer.
  'GET out': ({ response, url, key }) => {
    if (key === 'hanging') return;
    if (url.searchParams.get('iss') === issuer) endSession(url.searchParams.get('sid'));
    send(response, '');
  },
  'POST out': async ({ request, response }) => {
    const token = new URLSearchParams(await text(request)).get('logout_token') ?? '';
    endSession(claimsOf(token).sid);
    response.writeHead(204).end();
  },
};

/** Applications that use OpenID Connect. Undefined if there is no such page. */
export const clientRoute = (method: string, page: string): ((visit: Visit) => void | Promise<void>) | undefined =>
  routes[`${method} ${page}`];
