import { type Look, renderLeaving } from '@opensocial/signin';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { signIns, sites } from '../../database/schema.ts';
import { PageError } from '../../http/errors.ts';
import { queryFields } from '../../http/fields.ts';
import type { Parts } from '../../parts.ts';
import { SocialRefusal } from './refusal.ts';
import { type Definitions, findProvider, type Offer, type Provider, wellKnown } from './social.providers.ts';
import { beginSocial, findAccount, finishSocial, tokenOfState } from './social.service.ts';

/** A sign-in under way, as far as this browser may go on with it. */
type Resumed = {
  token: string;
  signIn: typeof signIns.$inferSelect;
  destination: Offer & { site: typeof sites.$inferSelect };
};

/** The walk through the sign-in pages, of which a social login is one way to say who is there. */
export type Walk<W extends Resumed> = {
  /** Throws the page that it has expired unless this browser began it. */
  resumeAt: (request: FastifyRequest, token: string) => Promise<W>;
  /** The same for the token in the path, by a form of ours and by nothing else. */
  resumeForm: (request: FastifyRequest<{ Params: { token: string } }>) => Promise<W>;
  /** A page, dressed for where the sign-in leads. */
  show: (reply: FastifyReply, walk: W, render: (look: Look) => string) => unknown;
  /** Goes on with the account that was found: may you, prove it again, may you here. */
  proceedAs: (
    request: FastifyRequest,
    reply: FastifyReply,
    walk: W,
    known: { userId: number; loginFrom: string },
  ) => Promise<unknown>;
  /** Shows the sign-in page again with a sentence, and writes the reason to the login log. */
  refuse: (
    request: FastifyRequest,
    reply: FastifyReply,
    walk: W,
    refusal: { sentence: string; reason: string },
  ) => Promise<unknown>;
};

export const socialRoutes = <W extends Resumed>(
  app: FastifyInstance,
  parts: Parts,
  walking: Walk<W>,
  definitions: Definitions = wellKnown,
): void => {
  app.post<{ Params: { token: string; provider: string } }>('/signin/:token/with/:provider', async (request, reply) => {
    const walk = await walking.resumeForm(request);
    return orRefuse(request, reply, walk, async () => {
      const provider = offered(walk, request.params.provider);
      const url = await beginSocial(parts, { ...walk, provider });
      return walking.show(reply, walk, (look) => renderLeaving({ look, label: provider.label, url: url.href }));
    });
  });

  app.get<{ Params: { provider: string } }>('/signin/callback/:provider', async (request, reply) => {
    const { state = '', ...rest } = queryFields(request);
    const token = tokenOfState(parts, state);
    if (token === undefined) throw stateless();
    const walk = await walking.resumeAt(request, token);
    return orRefuse(request, reply, walk, async () => {
      const provider = offered(walk, request.params.provider);
      const answer = { ...(rest as Record<string, string>), state };
      const person = await finishSocial(parts, walk.signIn, provider, answer);
      const userId = await findAccount(parts, walk, person);
      return walking.proceedAs(request, reply, walk, { userId, loginFrom: provider.name });
    });
  });

  /** Asked at the beginning and again at the end: it may have been switched off in between. */
  const offered = ({ destination }: W, name: string): Provider => {
    const provider = findProvider(parts, destination, name, definitions);
    if (!provider)
      throw new SocialRefusal('This way to sign in is not offered here any more.', 'login type not offered');
    return provider;
  };

  const orRefuse = async (
    request: FastifyRequest,
    reply: FastifyReply,
    walk: W,
    work: () => Promise<unknown>,
  ): Promise<unknown> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof SocialRefusal)) throw error;
      return walking.refuse(request, reply, walk, { sentence: error.message, reason: error.reason });
    }
  };
};

const stateless = () =>
  new PageError(
    400,
    'This sign-in cannot be finished',
    'The answer does not say which sign-in it belongs to. Go back to the application and sign in again.',
  );
