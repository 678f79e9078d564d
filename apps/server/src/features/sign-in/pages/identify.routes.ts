import { ApiError, maximumPasswordLength } from '@opensocial/contract';
import type { FastifyInstance } from 'fastify';
import { clientOf, countedAddress } from '../../../http/address.ts';
import { readCookie } from '../../../http/cookies.ts';
import { formFields } from '../../../http/fields.ts';
import type { Parts } from '../../../parts.ts';
import type { HashingClient } from '../../../secrets/hashing-queue.ts';
import { admitHashing } from '../../../secrets/passwords.ts';
import { mainLogin, ownLogin, passkeyLogin, takesPassword } from '../accounts/login-types.ts';
import { type Credentials, identifyByPasskey, identifyByPassword } from '../credentials/identify.ts';
import { findKnownDevice, findPrefilledEmail } from '../credentials/known-devices.ts';
import { continueFlow } from '../flow/continue.ts';
import { goToMainNetwork } from '../flow/main-network.ts';
import { renewChallenge } from '../flow/progress.ts';
import { restartFlow } from '../flow/restart.ts';
import { getFlowAccount, resumeFlow, resumeFlowFromForm } from '../flow/resume.ts';
import type { PageRequest, SignInFlow, SignInParts } from '../flow/sign-in-flow.ts';
import { latestLogout } from '../logout/logout-key.ts';
import { findUnnotifiedSitesByKey } from '../logout/logouts.queries.ts';
import { showSignInPage } from './sign-in-page.ts';

type PageParams = { Params: PageRequest['params'] };

/** The address that the application has given, because it knows who wants to sign in. */
const loginHintOf = ({ signOn: { message } }: SignInFlow): string | undefined =>
  message.protocol === 'oidc' ? message.loginHint : undefined;

const refusedText = 'The email or password is not right, or this account cannot sign in here.';
const refusedPasskeyText = 'This passkey is unknown, or its account cannot sign in here.';

/** The first page of a sign-in, on which the person is identified: by password, by passkey, or at the main network. */
export const identifyRoutes = (app: FastifyInstance, parts: SignInParts): void => {
  const { db, config } = parts;

  app.get<PageParams>('/signin/:token', async (request, reply) => {
    const flow = await resumeFlow(parts, { request, reply });
    if (flow.signIn.user_id !== null)
      return continueFlow(parts, { request, reply }, flow, await getFlowAccount(parts, flow));
    const hasLogout = readCookie(config, request, 'logout') !== undefined;
    const unnotified = hasLogout ? await findUnnotifiedSitesByKey(db, latestLogout(config, request)) : [];
    const email = loginHintOf(flow) ?? (await findPrefilledEmail(parts, request));
    return showSignInPage(parts, reply, flow, email === undefined ? {} : { email }, unnotified);
  });

  app.post<PageParams>('/signin/:token', async (request, reply) => {
    const flow = await resumeFlowFromForm(parts, { request, reply });
    const { email = '', password = '' } = formFields(request);
    const credentials = { email: email.slice(0, 254), password, device: readCookie(config, request, 'device') };
    const isPossible = password.length <= maximumPasswordLength && takesPassword(flow.destination);
    const client = clientOf(request);
    const hashingClient = { ...(await hashingClientOf(parts, credentials)), address: countedAddress(client.address) };
    const identify = () => identifyByPassword(parts, flow.destination, credentials, client);
    const user = isPossible ? await busyAsValue(admitHashing(hashingClient, identify)) : undefined;
    if (user === 'busy') {
      const state = { email: credentials.email, error: new ApiError('busy').message };
      return showSignInPage(parts, reply.status(503).header('retry-after', 2), flow, state);
    }
    if (!user) return showSignInPage(parts, reply.status(401), flow, { email: credentials.email, error: refusedText });
    const proven = { user_id: user.id, login_from: ownLogin, authenticated_at: new Date(), mfa: null };
    return continueFlow(parts, { request, reply }, flow, user, proven);
  });

  app.post<PageParams>('/signin/:token/passkey', async (request, reply) => {
    const flow = await resumeFlowFromForm(parts, { request, reply });
    if (!takesPassword(flow.destination)) throw new ApiError('not_found');
    const renewed = await renewChallenge(parts, flow);
    const { answer = '' } = formFields(request);
    const presented = { answer, challenge: flow.signIn.passkey_challenge };
    const user = await identifyByPasskey(parts, flow.destination, presented, clientOf(request));
    if (!user) return showSignInPage(parts, reply.status(401), renewed, { passkeyError: refusedPasskeyText });
    const proven = {
      user_id: user.id,
      login_from: passkeyLogin,
      authenticated_at: new Date(),
      mfa: 'passkey' as const,
    };
    return continueFlow(parts, { request, reply }, renewed, user, proven);
  });

  app.post<PageParams>(`/signin/:token/with/${mainLogin}`, async (request, reply) =>
    goToMainNetwork(parts, { request, reply }, await resumeFlowFromForm(parts, { request, reply })),
  );

  // For another person in the same browser, or another login type.
  app.post<PageParams>('/signin/:token/again', async (request, reply) =>
    restartFlow(parts, reply, await resumeFlowFromForm(parts, { request, reply })),
  );
};

/** A device that is known for this account has its own places in the queue for password hashing. */
const hashingClientOf = async (
  parts: Parts,
  { email, device }: Credentials,
): Promise<Pick<HashingClient, 'account' | 'isKnownDevice'>> => {
  const account = email.toLowerCase();
  const known = await findKnownDevice(parts, device);
  return { account, isKnownDevice: known?.owner.email === account };
};

const busyAsValue = <T>(work: Promise<T>): Promise<T | 'busy'> =>
  work.catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'busy') return 'busy';
    throw error;
  });
