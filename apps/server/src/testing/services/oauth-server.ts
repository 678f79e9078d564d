import { createHash } from 'node:crypto';
import formbody from '@fastify/formbody';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import type { Definition } from '../../features/social/social.providers.ts';
import { newToken } from '../../secrets/tokens.ts';

type Oauth = Extract<Definition, { kind: 'oauth' }>;

export type OauthServer = {
  origin: string;
  client: { id: string; secret: string };
  /** The user information that it returns, by path. */
  answers: Map<string, unknown>;
  stop: () => Promise<void>;
};

type Query = Record<string, string>;
type Given = { challenge: string | undefined; redirectUri: string; person: Query };

/** Shows a page to the user, whose fields are part of the answer. */
export type Asking = {
  page: (asked: Query) => string | undefined;
  answer: (person: Query, path: string) => unknown;
};

/**
 * A small OAuth 2 server with the paths of a provider, on the loopback interface. It verifies everything that the
 * protocol requires.
 */
export const startOauthServer = async ({ server }: Oauth, asking?: Asking): Promise<OauthServer> => {
  const client = { id: 'a-client', secret: 'a-secret_of.tests' };
  const codes = new Map<string, Given>();
  const tokens = new Map<string, Query>();
  const answers = new Map<string, unknown>();
  const isBasic = server.token_endpoint_auth_methods_supported?.includes('client_secret_basic') ?? false;
  const app = Fastify();
  await app.register(formbody);

  app.get(pathOf(server.authorization_endpoint), async (request, reply) => {
    const asked = request.query as Query;
    if (asked['client_id'] !== client.id || asked['response_type'] !== 'code') return reply.status(400).send('refused');
    const page = asking?.page(asked);
    if (page !== undefined) return reply.type('text/html').send(page);
    const code = newToken();
    const { redirect_uri: redirectUri = '', state = '', code_challenge: challenge, cancel } = asked;
    codes.set(code, { challenge, redirectUri, person: asked });
    const answer = cancel === undefined ? { code } : { error: 'access_denied' };
    return reply.redirect(`${redirectUri}?${new URLSearchParams({ ...answer, state })}`);
  });

  app.post(pathOf(server.token_endpoint), async (request, reply) => {
    const asked = request.body as Query;
    const given = codes.get(asked['code'] ?? '');
    codes.delete(asked['code'] ?? '');
    const challenge = createHash('sha256')
      .update(asked['code_verifier'] ?? '')
      .digest('base64url');
    if (!isClient(request, asked)) return reply.status(401).send({ error: 'invalid_client' });
    if (given?.challenge !== challenge || given.redirectUri !== asked['redirect_uri'])
      return reply.status(400).send({ error: 'invalid_grant' });
    const token = newToken();
    tokens.set(token, given.person);
    return { access_token: token, token_type: 'bearer', scope: 'read:user,user:email' };
  });

  app.setNotFoundHandler(async (request: FastifyRequest, reply: FastifyReply) => {
    const token = (request.headers.authorization ?? '').replace(/^bearer /i, '');
    const person = tokens.get(token);
    const answer = person && (asking ? asking.answer(person, request.url) : answers.get(request.url));
    return answer !== undefined ? reply.status(200).send(answer) : reply.status(401).send({});
  });

  const isClient = (request: FastifyRequest, asked: Query): boolean =>
    isBasic
      ? request.headers.authorization === `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`
      : asked['client_id'] === client.id && asked['client_secret'] === client.secret;

  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  return { origin, client, answers, stop: async () => app.close() };
};

const pathOf = (url: string | undefined): string => new URL(url ?? '').pathname;

/** A provider's definition, moved to another origin. */
export const movedTo = (origin: string, definition: Oauth): Oauth => {
  const move = (url: string): string => url.replace(new URL(url).origin, origin);
  const { authorization_endpoint = '', token_endpoint = '' } = definition.server;
  return {
    ...definition,
    server: {
      ...definition.server,
      authorization_endpoint: move(authorization_endpoint),
      token_endpoint: move(token_endpoint),
    },
    addresses: definition.addresses.map(move),
  };
};
