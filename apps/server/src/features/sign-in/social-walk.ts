import type { FastifyReply, FastifyRequest } from 'fastify';
import { cameFrom } from '../../http/address.ts';
import type { Parts } from '../../parts.ts';
import { findStandingById, type Standing } from './identity.queries.ts';
import { updateSignIn } from './sign-in.queries.ts';
import { logFailure, takeTryAt } from './sign-in.service.ts';
import { createSignInPage } from './sign-in-page.ts';
import { firstRefusal, isStranger, mayYou } from './steps.ts';
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
    const came = cameFrom(request);
    await takeTryAt(parts.db, came.address);
    await logFailure(parts, walk.destination, { user, reason, ...came });
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
      const sentence = 'This account cannot sign in here.';
      // In a network that they do not belong to, the line is that of somebody without an account.
      if (user && isStranger({ user, destination }))
        return refuse(request, reply, walk, { sentence, reason: `${loginFrom}: no account` });
      return refuse(request, reply, walk, { sentence, reason: refusal?.reason ?? 'account gone' }, user);
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
