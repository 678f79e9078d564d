import { hashToken, newToken } from '../../apps/server/src/secrets/tokens.ts';
import { createClient } from '../http.ts';
import { type Algorithm, signatureLimit } from '../limits.ts';
import { measureReference } from '../reference.ts';
import type { Result } from '../report.ts';
import { network, type Server, startServerOn, type World } from '../world.ts';
import { connections, gather, measure, ratioOf, rowBesides, said } from './sign-ons.ts';

type Client = { id: string; secret: string };

const redirectUri = 'https://bench-client.northlab.org/callback';

/** Registers a client for the measurement. */
const makeClient = async (world: World, algorithm: Algorithm): Promise<Client> => {
  const client = { id: `bench-client-${algorithm}`, secret: newToken() };
  const parameters = {
    authentication: 'secret',
    redirect_uris: [redirectUri],
    post_logout_uris: [],
    backchannel_logout_uri: '',
    frontchannel_logout_uri: '',
    algorithm,
    requires_pkce: false,
    allows_offline: false,
    jwks: null,
    jwks_uri: '',
  };
  await world.query('full', 'delete from sites where identity = $1', [client.id]);
  const [site] = await world.query<{ id: string }>(
    'full',
    `insert into sites (network_id, protocol, identity, acs, domain, site_name, oidc)
     select id, 'oidc', $1, '', $1, $1, $2 from networks where name = $3 returning id`,
    [client.id, JSON.stringify(parameters), network],
  );
  await world.query('full', `insert into oidc_secrets (site_id, secret_hash, hint) values ($1, $2, 'xxxx')`, [
    site?.id,
    hashToken(client.secret),
  ]);
  return client;
};

/** A sign-on with a live session: the browser gets a code. */
const actsAt = (server: Server, { id, secret }: Client, cookies: string[]) => {
  const { send, close } = createClient(connections);
  const issuer = `${server.address}/oidc/${network}`;
  const query = new URLSearchParams({
    client_id: id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile email groups',
    state: 'bench',
    nonce: 'bench',
  });
  const signOn = async (turn: number): Promise<string> => {
    const { status, location = '', body } = await send(`${issuer}/auth?${query}`, cookies[turn % cookies.length]);
    const code = URL.parse(location)?.searchParams.get('code');
    if (!code) throw new Error(`Answered ${status}: ${location} ${body.slice(0, 300)}`);
    return code;
  };
  /** The same, and the application exchanges the code for tokens. */
  const complete = async (turn: number): Promise<void> => {
    const form = { grant_type: 'authorization_code', redirect_uri: redirectUri, client_id: id, client_secret: secret };
    const { status, body } = await send(`${issuer}/token`, '', { ...form, code: await signOn(turn) });
    if (status !== 200 || !body.includes('id_token')) throw new Error(`Answered ${status}: ${body.slice(0, 300)}`);
  };
  return { signOn: async (turn: number) => void (await signOn(turn)), complete, close };
};

const measureWith = async (world: World, algorithm: Algorithm): Promise<Result[]> => {
  const limit = await signatureLimit(algorithm);
  const reference = await measureReference();
  const { cookies } = await gather(world);
  // The server migrates the database, so that the client can be registered after it has started.
  const server = await startServerOn(world, 'full', { WORKERS: '1' });
  const acts = actsAt(server, await makeClient(world, algorithm), cookies);
  try {
    const codes = await measure(server, acts.signOn);
    const complete = await measure(server, acts.complete);
    // What a token request takes is the difference between both.
    const perToken = 1 / (1 / complete.perCpuSecond - 1 / codes.perCpuSecond);
    const postgresOf = (load: typeof codes) => load.postgresShare / load.perCpuSecond;
    const token = { perCpuSecond: perToken, postgresShare: (postgresOf(complete) - postgresOf(codes)) * perToken };
    const against = `${limit.toFixed(0)} ${algorithm} signatures a CPU-second; an ID token has one`;
    return [
      {
        what: `OpenID Connect sign-ons up to the code (${algorithm})`,
        measured: said(codes),
        against: 'no signature',
        ratio: codes.perCpuSecond / limit,
      },
      rowBesides(`… in CPU time (${algorithm})`, codes, { cryptography: 0, reference }),
      {
        what: `… with the token request (${algorithm})`,
        measured: said(complete),
        against,
        ratio: ratioOf(complete, limit),
      },
      {
        what: `… the token request alone (${algorithm})`,
        measured: `${perToken.toFixed(0)} a CPU-second`,
        against,
        ratio: perToken / limit,
      },
      rowBesides(`… besides its signature (${algorithm})`, token, { cryptography: 1 / limit, reference }),
    ];
  } finally {
    acts.close();
    await server.stop();
  }
};

/** Sign-ons by OpenID Connect with a live session: a code, and the tokens that an application exchanges it for. */
export const measureOpenId = async (world: World): Promise<Result[]> => [
  ...(await measureWith(world, 'RS256')),
  ...(await measureWith(world, 'ES256')),
];
