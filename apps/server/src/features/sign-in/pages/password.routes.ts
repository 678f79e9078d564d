import { ApiError } from '@opensocial/contract';
import { renderNewPassword } from '@opensocial/signin';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { formFields } from '../../../http/fields.ts';
import type { Parts } from '../../../parts.ts';
import { admitOwnHashing, hashPassword } from '../../../secrets/passwords.ts';
import { readSettings, toPasswordPolicy } from '../../settings/settings.service.ts';
import { assertNewPassword, storePassword } from '../../users/users.passwords.service.ts';
import type { SiteAccount } from '../accounts/site-accounts.queries.ts';
import { continueFlow } from '../flow/continue.ts';
import { needsFactor, needsNewPassword } from '../flow/next-step.ts';
import { assertFlowUnchanged } from '../flow/progress.ts';
import { getFlowAccount, resumeFlow, resumeFlowFromForm } from '../flow/resume.ts';
import type { PageRequest, SignInFlow, SignInParts } from '../flow/sign-in-flow.ts';
import { showPage } from './show-page.ts';

type PageParams = { Params: PageRequest['params'] };

/** The page on which the person changes an expired password. */
export const passwordRoutes = (app: FastifyInstance, parts: SignInParts): void => {
  const { db } = parts;

  app.get<PageParams>('/signin/:token/password', async (request, reply) => {
    const flow = await resumeFlow(parts, { request, reply });
    const user = await getFlowAccount(parts, flow);
    if (!mustChangePassword(parts, request, flow, user)) return continueFlow(parts, { request, reply }, flow, user);
    return showPasswordPage(parts, reply, flow, user);
  });

  app.post<PageParams>('/signin/:token/password', async (request, reply) => {
    const flow = await resumeFlowFromForm(parts, { request, reply });
    const user = await getFlowAccount(parts, flow);
    if (!mustChangePassword(parts, request, flow, user)) return continueFlow(parts, { request, reply }, flow, user);
    const { password = '', confirmation = '' } = formFields(request);
    if (password !== confirmation)
      return showPasswordPage(parts, reply.status(400), flow, user, 'The two passwords are not the same.');
    const hash = await hashNewPassword(parts, user, password);
    if (hash instanceof ApiError) return showPasswordPage(parts, reply.status(hash.status), flow, user, hash.message);
    await db.transaction(async (tx) => {
      await storePassword(tx, parts, user, hash, { signInId: flow.signIn.id });
      await assertFlowUnchanged(tx, flow);
    });
    return continueFlow(parts, { request, reply }, flow, await getFlowAccount(parts, flow));
  });
};

/** Only if no factor is missing: the old password alone must not be enough to change it. */
const mustChangePassword = (parts: Parts, request: FastifyRequest, flow: SignInFlow, user: SiteAccount): boolean =>
  needsNewPassword(flow, user) && !needsFactor(parts, request, flow, user);

/** The hash of a new password, or the error to show if the password is refused or the server is busy. */
const hashNewPassword = ({ db }: Parts, user: SiteAccount, password: string): Promise<string | ApiError> =>
  admitOwnHashing(user.id, async () => {
    await assertNewPassword(db, user, await readSettings(db, user.homeNetworkId), password);
    return hashPassword(password);
  }).catch((error: unknown) => {
    if (error instanceof ApiError && (error.code === 'password_refused' || error.code === 'busy')) return error;
    throw error;
  });

const showPasswordPage = async (
  parts: Parts,
  reply: FastifyReply,
  flow: SignInFlow,
  user: SiteAccount,
  error?: string,
) => {
  const { regex_message } = toPasswordPolicy(await readSettings(parts.db, user.homeNetworkId));
  return showPage(parts, reply, flow, (look, csrf) =>
    renderNewPassword({
      look,
      email: user.email,
      rule: regex_message,
      form: { action: `/signin/${flow.token}/password`, csrf, error },
    }),
  );
};
