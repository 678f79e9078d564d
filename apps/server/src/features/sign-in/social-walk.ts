import type { FastifyReply, FastifyRequest } from 'fastify';
import { cameFrom } from '../../http/address.ts';
import type { Parts } from '../../parts.ts';
import { findStandingById, type Standing } from './identity.queries.ts';
import { updateSignIn } from './sign-in.queries.ts';
import { logFailure } from './sign-in.service.ts';
import { createSignInPage } from './sign-in-page.ts';
import { firstRefusal, mayYou } from './steps.ts';
import type { Walk, Walking } from './walk.ts';

type Refused = { sentence: string; reason: string };

/** The walk as a social login takes part in it. */
export const createSocialWalk = (parts: Parts, walking: Walking) => {
  const showSignIn = createSignInPage(parts, walking);

  const refuse = async (
    request: FastifyRequest,
    reply: FastifyReply,
    walk: Walk,
    { sentence, reason }: Refused,
    user?: Standing,
  ) => {
    await logFailure(parts, walk.destination, { email: user?.email, user, reason, ...cameFrom(request) });
    return showSignIn(reply.status(403), walk, { email: '', error: sentence });
  };

  const proceedAs = async (
    request: FastifyRequest,
    reply: FastifyReply,
    walk: Walk,
    { userId, loginFrom }: { userId: number; loginFrom: string },
  ) => {
    const { destination } = walk;
    const user = await findStandingById(parts.db, destination, userId);
    const refusal = user && firstRefusal(mayYou, { user, destination });
    if (!user || refusal) {
      const reason = refusal?.reason ?? 'account gone';
      return refuse(request, reply, walk, { sentence: 'This account cannot sign in here.', reason }, user);
    }
    const known = { user_id: user.id, login_from: loginFrom, authenticated_at: new Date(), mfa: null };
    const noted = await walking.become(reply, walk, (known_hash) =>
      updateSignIn(parts.db, walk.signIn, { ...known, known_hash }),
    );
    return walking.proceed(request, reply, noted, user);
  };

  const { resumeAt, resumeForm, show } = walking;
  return { resumeAt, resumeForm, show, refuse, proceedAs };
};
