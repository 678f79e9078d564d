import { type Look, renderLeaving } from '@opensocial/signin';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { signIns, sites } from '../../database/schema.ts';
import { PageError } from '../../http/errors.ts';
import { queryFields } from '../../http/fields.ts';
import type { Parts } from '../../parts.ts';
import { SocialRefusal } from './refusal.ts';
import { type Definitions, findProvider, type Offer, type Provider, wellKnown } from './social.providers.ts';
import { beginSocialLogin, findAccount, finishSocialLogin, tokenOfState } from './social.service.ts';

/** A sign-in in progress, in the browser that began it. */
type Resumed = {
  token: string;
  signIn: typeof signIns.$inferSelect;
  destination: Offer & { site: typeof sites.$inferSelect };
};

/** The steps of a sign-in that a social login uses. `features/sign-in` implements them. */
export type SignInSteps<F extends Resumed> = {
  /** Resumes a sign-in by its token. Throws in any browser other than the one that began it. */
  resumeByToken: (request: FastifyRequest, reply: FastifyReply, token: string) => Promise<F>;
  /** Resumes the sign-in in the path, for a form of one of our own pages. */
  resumeFromForm: (request: FastifyRequest<{ Params: { token: string } }>, reply: FastifyReply) => Promise<F>;
  /** Sends a page with the look of the destination. */
  show: (reply: FastifyReply, flow: F, render: (look: Look) => string) => unknown;
  /** Continues the sign-in with the account that was found. */
  continueAs: (
    request: FastifyRequest,
    reply: FastifyReply,
    flow: F,
    known: { userId: number; loginFrom: string },
  ) => Promise<unknown>;
  /** Shows the sign-in page again with a message, and writes the reason to the login log. */
  refuse: (
    request: FastifyRequest,
    reply: FastifyReply,
    flow: F,
    refusal: { message: string; reason: string },
  ) => Promise<unknown>;
};

export const socialRoutes = <F extends Resumed>(
  app: FastifyInstance,
  parts: Parts,
  steps: SignInSteps<F>,
  definitions: Definitions = wellKnown,
): void => {
  app.post<{ Params: { token: string; provider: string } }>('/signin/:token/with/:provider', async (request, reply) => {
    const flow = await steps.resumeFromForm(request, reply);
    return orRefuse(request, reply, flow, async () => {
      const provider = offered(flow, request.params.provider);
      const url = await beginSocialLogin(parts, { ...flow, provider });
      return steps.show(reply, flow, (look) => renderLeaving({ look, label: provider.label, url: url.href }));
    });
  });

  app.get<{ Params: { provider: string } }>('/signin/callback/:provider', async (request, reply) => {
    const { state = '', ...rest } = queryFields(request);
    const token = tokenOfState(parts, state);
    if (token === undefined) throw stateless();
    const flow = await steps.resumeByToken(request, reply, token);
    return orRefuse(request, reply, flow, async () => {
      const provider = offered(flow, request.params.provider);
      const answer = { ...(rest as Record<string, string>), state };
      const person = await finishSocialLogin(parts, flow.signIn, provider, answer);
      const userId = await findAccount(parts, flow, person);
      return steps.continueAs(request, reply, flow, { userId, loginFrom: provider.name });
    });
  });

  /** Checked at the beginning and again at the end, because the provider may be switched off in between. */
  const offered = ({ destination }: F, name: string): Provider => {
    const provider = findProvider(parts, destination, name, definitions);
    if (!provider) throw new SocialRefusal('This sign-in method is no longer offered here.', 'login type not offered');
    return provider;
  };

  const orRefuse = async (
    request: FastifyRequest,
    reply: FastifyReply,
    flow: F,
    work: () => Promise<unknown>,
  ): Promise<unknown> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof SocialRefusal)) throw error;
      return steps.refuse(request, reply, flow, { message: error.message, reason: error.reason });
    }
  };
};

const stateless = () =>
  new PageError(
    400,
    'This sign-in cannot be finished',
    'The answer does not belong to a sign-in in progress. Go back to the application and sign in again.',
  );
