import { renderLeaving } from '@opensocial/signin';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { signIns, sites } from '../../database/schema.ts';
import { PageError } from '../../http/errors.ts';
import { queryFields } from '../../http/fields.ts';
import { sendPage } from '../../http/pages.ts';
import type { Parts } from '../../parts.ts';
import { SocialRefusal } from './refusal.ts';
import { type Definitions, findProvider, type Offer, type Provider, wellKnown } from './social.providers.ts';
import { beginSocial, findAccount, finishSocial, tokenOfState } from './social.service.ts';

type SignIn = typeof signIns.$inferSelect;
type Destination = Offer & { site: typeof sites.$inferSelect };

/** The walk through the sign-in pages, of which a social login is one way to say who is there. */
export type Walk = {
  /** A sign-in under way, for the browser that began it; else the page that it has expired is thrown. */
  resume: (request: FastifyRequest, token: string) => Promise<{ signIn: SignIn; destination: Destination }>;
  /** Throws unless a form of ours was sent. */
  assertForm: (request: FastifyRequest) => Promise<void>;
  /** Goes on with the account that was found: may you, prove it again, may you here. */
  proceed: (
    request: FastifyRequest,
    reply: FastifyReply,
    signIn: SignIn,
    userId: number,
    loginFrom: string,
    isLinked: boolean,
  ) => Promise<unknown>;
  /** Shows the sign-in page again with a sentence, and writes the reason to the login log. */
  refuse: (
    request: FastifyRequest,
    reply: FastifyReply,
    signIn: SignIn,
    sentence: string,
    reason: string,
  ) => Promise<unknown>;
};

export const socialRoutes = (
  app: FastifyInstance,
  parts: Parts,
  walk: Walk,
  definitions: Definitions = wellKnown,
): void => {
  app.post<{ Params: { token: string; provider: string } }>('/signin/:token/with/:provider', async (request, reply) => {
    const { token, provider: name } = request.params;
    await walk.assertForm(request);
    const { signIn, destination } = await walk.resume(request, token);
    return orRefuse(request, reply, signIn, async () => {
      const provider = offered(destination, name);
      const url = await beginSocial(parts, { signIn, token, provider });
      return sendPage(reply, renderLeaving({ label: provider.label, url: url.href }));
    });
  });

  app.get<{ Params: { provider: string } }>('/signin/callback/:provider', async (request, reply) => {
    const { provider: name } = request.params;
    const { state = '', ...rest } = queryFields(request);
    const token = tokenOfState(parts, state);
    if (token === undefined) throw stateless();
    const { signIn, destination } = await walk.resume(request, token);
    return orRefuse(request, reply, signIn, async () => {
      const provider = offered(destination, name);
      const answer = { ...(rest as Record<string, string>), state };
      const person = await finishSocial(parts, signIn, provider, answer);
      const { userId, isLinked } = await findAccount(parts, destination, signIn, person);
      return walk.proceed(request, reply, signIn, userId, provider.name, isLinked);
    });
  });

  /** Asked at the beginning and again at the end: it may have been switched off in between. */
  const offered = (destination: Destination, name: string): Provider => {
    const provider = findProvider(parts, destination, name, definitions);
    if (!provider)
      throw new SocialRefusal('This way to sign in is not offered here any more.', 'login type not offered');
    return provider;
  };

  const orRefuse = async (
    request: FastifyRequest,
    reply: FastifyReply,
    signIn: SignIn,
    work: () => Promise<unknown>,
  ): Promise<unknown> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof SocialRefusal)) throw error;
      return walk.refuse(request, reply, signIn, error.message, error.reason);
    }
  };
};

const stateless = () =>
  new PageError(
    400,
    'This sign-in cannot be finished',
    'The answer does not say which sign-in it belongs to. Go back to the application and sign in again.',
  );
