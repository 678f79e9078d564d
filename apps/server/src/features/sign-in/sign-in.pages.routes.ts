import { ApiError } from '@opensocial/contract';
import { type Factor, renderNewPassword, renderRecoveryCodes, renderVerify } from '@opensocial/signin';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Transaction } from '../../database/connect.ts';
import { addressOf, cameFrom, countedAddress } from '../../http/address.ts';
import { readCookie, setCookie } from '../../http/cookies.ts';
import { formFields, queryFields } from '../../http/fields.ts';
import type { Parts } from '../../parts.ts';
import type { Asker } from '../../secrets/hashing-queue.ts';
import { admitHashing, admitOwnHashing, hashPassword } from '../../secrets/passwords.ts';
import {
  confirmTotpAt,
  type Entrant,
  newMailedCode,
  noteTotpSetup,
  proveMailedCode,
  proveRecoveryCode,
  proveTotp,
  showTotpAt,
} from '../mfa/mfa.service.ts';
import { refusalToConfirm, requestOwnPasskey } from '../passkeys/passkeys.proof.service.ts';
import { readSettings, toPasswordPolicy } from '../settings/settings.service.ts';
import { renderNetworkMail } from '../templates/templates.service.ts';
import { assertNewPassword, storePassword } from '../users/users.passwords.service.ts';
import { deviceOf, findKnownDevice, findKnownEmail } from './device.ts';
import { findStandingById, type Standing } from './identity.queries.ts';
import { findUnreached } from './logout.queries.ts';
import { latestLogout } from './logout-key.ts';
import { mainLogin } from './main-network.ts';
import { newTrust } from './second-factor.ts';
import {
  type Credentials,
  identifyByPasskey,
  identifyByPassword,
  logFailure,
  ownLogin,
  passkeyLogin,
} from './sign-in.service.ts';
import { createSignInPage, takesPassword } from './sign-in-page.ts';
import type { PageRequest, Walk, Walking } from './walk.ts';

type PageParams = { Params: { token: string } };

const longestPassword = 1_024;
const refusedText = 'The email or password is not right, or this account cannot sign in here.';
const refusedPasskeyText = 'This passkey is not known here, or its account cannot sign in here.';
const wrongCodeText = 'This code is not right, or was used before. Try the next one.';
const wrongPasskeyText = 'This passkey is not one of yours, or is not good any more. Try again, or in another way.';

/** The pages that a sign-in walks through. */
export const signInPageRoutes = (app: FastifyInstance, parts: Parts, walking: Walking): void => {
  const { db, config, vault } = parts;
  const { resume, resumeForm, knownUser, proceed, show, advance, takeChallenge } = walking;
  const showSignIn = createSignInPage(parts, walking);

  // ── Who are you ──────────────────────────────────────────────────────────────────────────────────────────────────

  app.get<PageParams>('/signin/:token', async (request, reply) => {
    const walk = await resume(request);
    if (walk.signIn.user_id !== null) return proceed(request, reply, walk, await knownUser(walk));
    const isSignedOut = readCookie(config, request, 'logout') !== undefined;
    const unreached = isSignedOut ? await findUnreached(db, latestLogout(config, request)) : [];
    const email = await findKnownEmail(parts, request);
    return showSignIn(reply, walk, email === undefined ? {} : { email }, unreached);
  });

  app.post<PageParams>('/signin/:token', async (request, reply) => {
    const walk = await resumeForm(request);
    const { email = '', password = '' } = formFields(request);
    const credentials = { email: email.slice(0, 254), password, device: readCookie(config, request, 'device') };
    const isPossible = password.length <= longestPassword && takesPassword(walk);
    const came = cameFrom(request);
    const asker = { ...(await askerOf(credentials)), address: countedAddress(came.address) };
    const identify = () => identifyByPassword(parts, walk.destination, credentials, came);
    const user = isPossible ? await orBusy(admitHashing(asker, identify)) : undefined;
    if (user === 'busy') {
      const tried = { email: credentials.email, error: new ApiError('busy').message };
      return showSignIn(reply.status(503).header('retry-after', 2), walk, tried);
    }
    if (!user) return showSignIn(reply.status(401), walk, { email: credentials.email, error: refusedText });
    const known = { user_id: user.id, login_from: ownLogin, authenticated_at: new Date(), mfa: null };
    return proceed(request, reply, walk, user, known);
  });

  /** A device that has signed in to this very account before has room of its own in the queue. */
  const askerOf = async ({ email, device }: Credentials): Promise<Pick<Asker, 'account' | 'isKnownDevice'>> => {
    const account = email.toLowerCase();
    const known = await findKnownDevice(parts, device);
    return { account, isKnownDevice: known?.owner.email === account };
  };

  app.post<PageParams>('/signin/:token/passkey', async (request, reply) => {
    const walk = await resumeForm(request);
    if (!takesPassword(walk)) throw new ApiError('not_found');
    const further = await takeChallenge(walk);
    const { answer = '' } = formFields(request);
    const presented = { answer, challenge: walk.signIn.passkey_challenge };
    const user = await identifyByPasskey(parts, walk.destination, presented, cameFrom(request));
    if (!user) return showSignIn(reply.status(401), further, { passkeyError: refusedPasskeyText });
    const known = { user_id: user.id, login_from: passkeyLogin, authenticated_at: new Date(), mfa: 'passkey' as const };
    return proceed(request, reply, further, user, known);
  });

  app.post<PageParams>(`/signin/:token/with/${mainLogin}`, async (request, reply) =>
    walking.goThroughMain(request, reply, await resumeForm(request)),
  );

  /** Somebody else sits down, or another way is wanted. */
  app.post<PageParams>('/signin/:token/again', async (request, reply) =>
    walking.startOver(reply, await resumeForm(request)),
  );

  // ── Prove it again ───────────────────────────────────────────────────────────────────────────────────────────────

  app.get<PageParams>('/signin/:token/verify', async (request, reply) => {
    const walk = await resume(request);
    const user = await knownUser(walk);
    if (!walking.needsFactor(request, walk, user)) return proceed(request, reply, walk, user);
    const { with: wanted, sent } = queryFields(request);
    if (walking.nextFactors(walk, user).length === 0) return proceed(request, reply, walk, user);
    return showVerify(reply, walk, user, chosen(walk, user, wanted), { isSent: sent === 'yes' });
  });

  /** Mails a code. A form, since it does something. */
  app.post<PageParams>('/signin/:token/send', async (request, reply) => {
    const walk = await resumeForm(request);
    const user = await knownUser(walk);
    if (!walking.nextFactors(walk, user).includes('email')) throw new ApiError('not_found');
    await mailCode(request, walk, user);
    return reply.redirect(`/signin/${walk.token}/verify?with=email&sent=yes`, 303);
  });

  app.post<PageParams>('/signin/:token/verify', async (request, reply) => {
    const walk = await resumeForm(request);
    const user = await knownUser(walk);
    const { factor: wanted, code = '', answer = '', remember } = formFields(request);
    const factor = walking.nextFactors(walk, user).find((one) => one === wanted);
    // Another tab has gone on meanwhile, or nobody was asked for this: the page shows what is asked now.
    if (factor === undefined) return reply.redirect(`/signin/${walk.token}/verify`, 303);
    const asked = factor === 'passkey' ? await takeChallenge(walk) : walk;
    const given = factor === 'passkey' ? answer : code.slice(0, 100);
    const { refusal, codes } = await prove(request, walk, user, factor, given);
    if (refusal !== undefined) {
      const typed = walking.typedIn(walk, user);
      await logFailure(parts, walk.destination, { typed, user, reason: refusal, mfa: factor, ...cameFrom(request) });
      const error = factor === 'passkey' ? wrongPasskeyText : wrongCodeText;
      return showVerify(reply.status(401), asked, user, factor, { isSent: true, error });
    }
    const further = await advance(asked, { mfa: factor === 'setup' ? 'totp' : factor });
    const renewed = (await findStandingById(db, walk.destination, user.id)) ?? user;
    if (remember === 'yes' && !walking.needsFactor(request, further, renewed)) trust(reply, walk, renewed);
    if (codes)
      return show(reply, further, (look, csrf) =>
        renderRecoveryCodes({ look, codes, action: `/signin/${walk.token}/go-on`, csrf }),
      );
    return proceed(request, reply, further, renewed);
  });

  app.post<PageParams>('/signin/:token/go-on', async (request, reply) => {
    const walk = await resumeForm(request);
    return proceed(request, reply, walk, await knownUser(walk));
  });

  /** The chosen factor, if it may be proven now; else the first that may. */
  const chosen = (walk: Walk, user: Standing, wanted: string | undefined): Factor => {
    const factors = walking.nextFactors(walk, user);
    return factors.find((factor) => factor === wanted) ?? factors[0] ?? 'email';
  };

  /** Why it is refused, if it is; the recovery codes, once, where an authenticator was set up. */
  type Outcome = { refusal?: string | undefined; codes?: string[] | undefined };

  const prove = async (
    request: FastifyRequest,
    walk: Walk,
    user: Standing,
    factor: Factor,
    given: string,
  ): Promise<Outcome> => {
    const { signIn } = walk;
    const entrant = entrantOf(request, walk, user);
    switch (factor) {
      case 'passkey':
        return { refusal: await refusalToConfirm(parts, entrant, given, signIn.passkey_challenge) };
      case 'totp':
        return outcomeOf(await proveTotp(parts, entrant, given));
      case 'recovery':
        return outcomeOf(await proveRecoveryCode(parts, entrant, given));
      case 'setup': {
        const codes = await confirmTotpAt(parts, entrant, given, (tx) => noteSetup(tx, request, walk, user));
        return { ...outcomeOf(codes !== undefined), codes };
      }
      case 'email':
        return outcomeOf(await proveMailedCode(parts, entrant, given));
    }
  };

  const noteSetup = async (tx: Transaction, request: FastifyRequest, walk: Walk, user: Standing): Promise<void> => {
    await walking.assertStill(tx, walk);
    await noteTotpSetup(tx, parts, { user, address: addressOf(request) });
  };

  const outcomeOf = (isRight: boolean): Outcome => (isRight ? {} : { refusal: 'wrong code of the second factor' });

  const entrantOf = (request: FastifyRequest, { signIn }: Walk, user: Standing): Entrant => ({
    signInId: signIn.id,
    userId: user.id,
    device: deviceOf(vault, readCookie(config, request, 'device'), user),
  });

  const mailCode = async (request: FastifyRequest, walk: Walk, user: Standing): Promise<void> => {
    const { network, site } = walk.destination;
    const email_code = await newMailedCode(parts, entrantOf(request, walk, user));
    const recipient = { user_name: user.fullname, email: user.email, email_code, site: site.site_name };
    await parts.jobs.sendMail(db, await renderNetworkMail(db, parts, network, 'emailmfa', recipient));
  };

  const trust = (reply: FastifyReply, { destination: { network, settings } }: Walk, user: Standing): void => {
    const days = settings.mfa_remember_days;
    if (days === 0) return;
    setCookie(config, reply, `trusted-${network.id}`, newTrust(vault, user, network.id, days), days * 86_400);
  };

  const showVerify = async (
    reply: FastifyReply,
    walk: Walk,
    user: Standing,
    factor: Factor,
    { isSent, error }: { isSent: boolean; error?: string },
  ) => {
    const { destination, token } = walk;
    const shown =
      factor === 'setup' ? showTotpAt(parts, { signInId: walk.signIn.id, userId: user.id }, user.email) : undefined;
    const factors = walking.nextFactors(walk, user);
    const isBeforeSetup = walking.factorsAt(destination, user).includes('setup') && factor !== 'setup';
    const request =
      factor === 'passkey' ? await requestOwnPasskey(parts, walk.signIn.passkey_challenge, user.id) : undefined;
    return show(
      reply,
      walk,
      (look, csrf) =>
        renderVerify({
          look,
          factor,
          email: masked(user.email),
          isSent,
          shown,
          request,
          isBeforeSetup,
          others: factors.filter((other) => other !== factor),
          rememberDays: isBeforeSetup ? 0 : destination.settings.mfa_remember_days,
          form: {
            action: `/signin/${token}/verify`,
            sendAction: `/signin/${token}/send`,
            againAction: `/signin/${token}/again`,
            csrf,
            error,
          },
        }),
      { asksPasskey: request !== undefined },
    );
  };

  // ── Is your password too old ─────────────────────────────────────────────────────────────────────────────────────

  /** Only where nothing else is owed: whoever has just the password must not be able to change it. */
  const mustChange = async (request: PageRequest, walk: Walk): Promise<Standing | undefined> => {
    const user = await knownUser(walk);
    const owesFactor = walking.needsFactor(request, walk, user);
    return user.isPasswordOld && walk.signIn.login_from === ownLogin && !owesFactor ? user : undefined;
  };

  app.get<PageParams>('/signin/:token/password', async (request, reply) => {
    const walk = await resume(request);
    const user = await mustChange(request, walk);
    return user ? showNewPassword(reply, walk, user) : proceed(request, reply, walk, await knownUser(walk));
  });

  app.post<PageParams>('/signin/:token/password', async (request, reply) => {
    const walk = await resumeForm(request);
    const user = await mustChange(request, walk);
    if (!user) return proceed(request, reply, walk, await knownUser(walk));
    const { password = '', confirmation = '' } = formFields(request);
    if (password !== confirmation)
      return showNewPassword(reply.status(400), walk, user, 'The two passwords are not the same.');
    const hash = await admitOwnHashing(user.id, async () => {
      await assertNewPassword(db, user, await readSettings(db, user.homeNetworkId), password);
      return hashPassword(password);
    }).catch((error: unknown) => {
      if (error instanceof ApiError && (error.code === 'password_refused' || error.code === 'busy')) return error;
      throw error;
    });
    if (typeof hash !== 'string') return showNewPassword(reply.status(hash.status), walk, user, hash.message);
    await db.transaction(async (tx) => {
      await storePassword(tx, parts, user, hash, { signInId: walk.signIn.id });
      await walking.assertStill(tx, walk);
    });
    return proceed(request, reply, walk, await knownUser(walk));
  });

  const showNewPassword = async (reply: FastifyReply, walk: Walk, user: Standing, error?: string) => {
    const { regex_message } = toPasswordPolicy(await readSettings(db, user.homeNetworkId));
    return show(reply, walk, (look, csrf) =>
      renderNewPassword({
        look,
        email: user.email,
        rule: regex_message,
        form: { action: `/signin/${walk.token}/password`, csrf, error },
      }),
    );
  };
};

/** What was asked for, or that there is no room for it now. */
const orBusy = <T>(work: Promise<T>): Promise<T | 'busy'> =>
  work.catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'busy') return 'busy';
    throw error;
  });

const masked = (email: string): string => {
  const [name = '', domain = ''] = email.split('@');
  return `${name.slice(0, 2)}…@${domain}`;
};
