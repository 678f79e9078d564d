import { ApiError } from '@opensocial/contract';
import { type Factor, renderNewPassword, renderRecoveryCodes, renderVerify } from '@opensocial/signin';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { cameFrom } from '../../http/address.ts';
import { readCookie, setCookie } from '../../http/cookies.ts';
import { formFields, queryFields } from '../../http/fields.ts';
import type { Parts } from '../../parts.ts';
import { hashPassword } from '../../secrets/passwords.ts';
import {
  confirmTotp,
  newMailedCode,
  proveMailedCode,
  proveRecoveryCode,
  proveTotp,
  resumeTotp,
} from '../mfa/mfa.service.ts';
import { readSettings, toPasswordPolicy } from '../settings/settings.service.ts';
import { renderNetworkMail } from '../templates/templates.service.ts';
import { assertNewPassword, storePassword } from '../users/users.passwords.service.ts';
import { findUnreached } from './logout.queries.ts';
import { mainLogin } from './main-network.ts';
import { factorsFor, newTrust } from './second-factor.ts';
import { findStandingById, type Standing } from './sign-in.queries.ts';
import { identifyByPassword, logFailure, ownLogin } from './sign-in.service.ts';
import { createSignInPage, takesPassword } from './sign-in-page.ts';
import type { PageRequest, Walk, Walking } from './walk.ts';

type PageParams = { Params: { token: string } };

const longestPassword = 1_024;
const refusedText = 'The email or password is not right, or this account cannot sign in here.';
const wrongCodeText = 'This code is not right, or was used before. Try the next one.';

/** The pages that a sign-in walks through. */
export const signInPageRoutes = (app: FastifyInstance, parts: Parts, walking: Walking): void => {
  const { db, config, vault } = parts;
  const { resume, resumeForm, knownUser, proceed, show, advance } = walking;
  const showSignIn = createSignInPage(parts, walking);

  // ── Who are you ──────────────────────────────────────────────────────────────────────────────────────────────────

  app.get<PageParams>('/signin/:token', async (request, reply) => {
    const walk = await resume(request);
    if (walk.signIn.user_id !== null) return proceed(request, reply, walk, await knownUser(walk));
    const signedOut = readCookie(config, request, 'logout');
    return showSignIn(reply, walk, undefined, signedOut === undefined ? [] : await findUnreached(db, signedOut));
  });

  app.post<PageParams>('/signin/:token', async (request, reply) => {
    const walk = await resumeForm(request);
    const { email = '', password = '' } = formFields(request);
    const credentials = { email: email.slice(0, 254), password, device: readCookie(config, request, 'device') };
    const isPossible = password.length <= longestPassword && takesPassword(walk);
    const user = isPossible
      ? await identifyByPassword(parts, walk.destination, credentials, cameFrom(request))
      : undefined;
    if (!user) return showSignIn(reply.status(401), walk, { email: credentials.email, error: refusedText });
    const known = { user_id: user.id, login_from: ownLogin, authenticated_at: new Date(), mfa: null };
    return proceed(request, reply, await advance(walk, known), user);
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
    if (walk.signIn.mfa !== null) return proceed(request, reply, walk, user);
    const { with: wanted, sent } = queryFields(request);
    return showVerify(reply, walk, user, chosen(walk, user, wanted), { isSent: sent === 'yes' });
  });

  /** Mails a code. A form, since it does something. */
  app.post<PageParams>('/signin/:token/send', async (request, reply) => {
    const walk = await resumeForm(request);
    const user = await knownUser(walk);
    if (!factorsFor({ user, destination: walk.destination }).includes('email')) throw new ApiError('not_found');
    await mailCode(walk, user);
    return reply.redirect(`/signin/${walk.token}/verify?with=email&sent=yes`, 303);
  });

  app.post<PageParams>('/signin/:token/verify', async (request, reply) => {
    const walk = await resumeForm(request);
    const user = await knownUser(walk);
    const { factor: wanted, code = '', remember } = formFields(request);
    const factor = chosen(walk, user, wanted);
    const proven = await prove(walk, user, factor, code.slice(0, 100));
    if (!proven) {
      const { email } = user;
      const reason = 'wrong code of the second factor';
      await logFailure(parts, walk.destination, { email, user, reason, mfa: factor, ...cameFrom(request) });
      return showVerify(reply.status(401), walk, user, factor, { isSent: true, error: wrongCodeText });
    }
    const further = await advance(walk, { mfa: factor === 'setup' ? 'totp' : factor });
    const renewed = (await findStandingById(db, walk.destination, user.id)) ?? user;
    if (remember === 'yes') trust(reply, walk, renewed);
    if (Array.isArray(proven))
      return show(reply, further, (look, csrf) =>
        renderRecoveryCodes({ look, codes: proven, action: `/signin/${walk.token}/go-on`, csrf }),
      );
    return proceed(request, reply, further, renewed);
  });

  app.post<PageParams>('/signin/:token/go-on', async (request, reply) => {
    const walk = await resumeForm(request);
    return proceed(request, reply, walk, await knownUser(walk));
  });

  /** The factor that was chosen, if it is one of those that may be; else the first. */
  const chosen = ({ destination }: Walk, user: Standing, wanted: string | undefined): Factor => {
    const factors = factorsFor({ user, destination });
    return factors.find((factor) => factor === wanted) ?? factors[0] ?? 'email';
  };

  /** The recovery codes, once, where an authenticator was set up. */
  const prove = (
    { signIn, destination }: Walk,
    user: Standing,
    factor: Factor,
    code: string,
  ): Promise<boolean | string[] | undefined> => {
    if (!factorsFor({ user, destination }).includes(factor)) throw new ApiError('not_found');
    switch (factor) {
      case 'totp':
        return proveTotp(parts, user.id, code);
      case 'recovery':
        return proveRecoveryCode(parts, user.id, code);
      case 'setup':
        return confirmTotp(parts, user.id, code);
      case 'email':
        return proveMailedCode(parts, { signInId: signIn.id, userId: user.id }, code);
    }
  };

  const mailCode = async ({ signIn, destination: { network, site } }: Walk, user: Standing): Promise<void> => {
    const email_code = await newMailedCode(parts, signIn.id, user.id);
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
    const shown = factor === 'setup' ? await resumeTotp(parts, user) : undefined;
    return show(reply, walk, (look, csrf) =>
      renderVerify({
        look,
        factor,
        email: masked(user.email),
        isSent,
        shown,
        others: factorsFor({ user, destination }).filter((other) => other !== factor),
        rememberDays: destination.settings.mfa_remember_days,
        form: {
          action: `/signin/${token}/verify`,
          sendAction: `/signin/${token}/send`,
          againAction: `/signin/${token}/again`,
          csrf,
          error,
        },
      }),
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
    try {
      await assertNewPassword(db, user, await readSettings(db, user.homeNetworkId), password);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'password_refused') throw error;
      return showNewPassword(reply.status(400), walk, user, error.message);
    }
    const hash = await hashPassword(password);
    await db.transaction((tx) => storePassword(tx, parts, user, hash, { signInId: walk.signIn.id }));
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

const masked = (email: string): string => {
  const [name = '', domain = ''] = email.split('@');
  return `${name.slice(0, 2)}…@${domain}`;
};
