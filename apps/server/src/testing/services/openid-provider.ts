import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Configuration, Provider } from 'oidc-provider';
import { testOrigin } from '../app/test-parts.ts';

export type Claims = Record<string, unknown>;
/** Shows a page to the user. Returns undefined until the user has answered. */
type Interact = (
  url: URL,
  response: ServerResponse,
) => { login: { accountId: string } } | { error: string } | undefined;
type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export type OpenIdProvider = {
  issuer: string;
  /** The claims about people, by subject. */
  people: Map<string, Claims>;
  /** The person in front of the next browser; undefined cancels the sign-in. */
  present: string | undefined;
  /** Handlers that answer instead of the provider, by path. */
  instead: Map<string, Handler>;
  /** The client ids that requested tokens, in order. */
  askedBy: string[];
  stop: () => Promise<void>;
};

/**
 * A real OpenID provider on the loopback interface. Clients have an id and a secret, and the host names that redirect
 * to us.
 */
export const startOpenIdProvider = async (
  clients: { id: string; secret: string; names: string[]; hasNoPkce?: boolean }[],
  {
    hasClaimsInToken = false,
    origin = testOrigin,
    interact,
  }: { hasClaimsInToken?: boolean; origin?: string; interact?: Interact } = {},
): Promise<OpenIdProvider> => {
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const started: OpenIdProvider = {
    issuer,
    people: new Map(),
    present: undefined,
    instead: new Map(),
    askedBy: [],
    stop: async () => {
      server.closeAllConnections();
      await new Promise((stopped) => void server.close(stopped));
    },
  };
  const provider = new Provider(issuer, {
    clients: clients.map(({ id, secret, names }) => ({
      client_id: id,
      client_secret: secret,
      redirect_uris: names.map((name) => `${origin}/signin/callback/${name}`),
      token_endpoint_auth_method: 'client_secret_post',
    })),
    findAccount: (_context, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, ...started.people.get(accountId) }),
    }),
    claims: { email: ['email', 'email_verified', 'xms_edov'], profile: ['given_name', 'family_name'] },
    conformIdTokenClaims: !hasClaimsInToken,
    pkce: { required: (_context, { clientId }) => !clients.some(({ id, hasNoPkce }) => id === clientId && hasNoPkce) },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    ttl: { Interaction: 60, Grant: 60, Session: 60, AccessToken: 60, IdToken: 60 },
    cookies: { keys: ['a key that only tests use'] },
    jwks: { keys: [signingKey()] },
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId,
        accountId: oidc.session?.accountId,
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  } satisfies Configuration);
  provider.on('grant.success', ({ oidc }) => started.askedBy.push(oidc.client?.clientId ?? ''));
  const callback = provider.callback();

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '', issuer);
    const path = url.pathname;
    const other = started.instead.get(path);
    if (other) return other(request, response);
    if (!path.startsWith('/interaction/')) return callback(request, response);
    const present = started.present ? { login: { accountId: started.present } } : { error: 'access_denied' };
    const result = interact ? interact(url, response) : present;
    if (result) await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  };
  return started;
};

const signingKey = () => ({
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
  use: 'sig',
  alg: 'RS256',
});

/** Follows the redirects of a provider with a new browser, until it is sent back to us. */
export const walkThrough = async (url: string): Promise<string> => {
  const cookies = new Map<string, string>();
  let at = url;
  for (let hops = 0; hops < 10; hops += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(at, { redirect: 'manual', headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const next = answer.headers.get('location');
    if (!next) throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`);
    at = new URL(next, at).href;
    if (at.startsWith(testOrigin)) return at;
  }
  throw new Error('The provider leads round and round.');
};
