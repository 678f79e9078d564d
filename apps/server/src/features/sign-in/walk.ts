import { browserFamily } from '@opensocial/contract';
import { acceptedRelayState, nameIdFormats, type PostForm } from '@opensocial/saml';
import {
  type AutoPostTitle,
  assets,
  autoPostScriptHash,
  type Factor,
  type Look,
  renderAutoPost,
} from '@opensocial/signin';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Transaction } from '../../database/connect.ts';
import { addressOf, cameFrom } from '../../http/address.ts';
import { clearCookie, dropOldest, flowCookie, readCookie, setCookie } from '../../http/cookies.ts';
import { PageError } from '../../http/errors.ts';
import { formFields } from '../../http/fields.ts';
import { autoPostPolicy, pagePolicy } from '../../http/headers.ts';
import { sendPage } from '../../http/pages.ts';
import { deviceNotice } from '../../mail/notices.ts';
import type { Parts } from '../../parts.ts';
import { hashToken, isSame, newToken } from '../../secrets/tokens.ts';
import { newChallenge } from '../passkeys/passkeys.proof.service.ts';
import { settleSocial } from '../social/social.service.ts';
import { answer, answerStatus } from './answer.ts';
import { type Arrival, createArrivals } from './arrivals.ts';
import { type Destination, findMainEntrance, type Whereto } from './destinations.queries.ts';
import { keepDevice, renewDevice } from './device.ts';
import { findStandingById, type Identity, type Standing } from './identity.queries.ts';
import { toLook } from './look.ts';
import { acceptsOwnLogin, isThroughMain, mainLogin, offersMain } from './main-network.ts';
import { type Asked, StatusError } from './request.ts';
import { canEnrol, factorsFor, isEnough, isOwnLogin, isTrusted } from './second-factor.ts';
import {
  deleteSignIn,
  findSignIn,
  insertSignIn,
  isStill,
  noteKnown,
  replaceChallenge,
  type SignIn,
  updateSignIn,
} from './sign-in.queries.ts';
import { logFailure, openIdentity, ownLogin, passkeyLogin, takeTryAt } from './sign-in.service.ts';
import { createSignInPage, takesPassword } from './sign-in-page.ts';
import { firstRefusal, isStranger, mayYou, mayYouHere, notOffered, type Refusal } from './steps.ts';
import { chargeVisitor } from './visitor-budget.ts';

const minutesToSignIn = 30;

/** Sign-ins that one browser may have under way at once, in tabs of its own each. */
const mostOpenSignIns = 8;

/** A request for one of the pages of a sign-in. */
export type PageRequest = FastifyRequest<{ Params: { token: string } }>;

/**
 * A sign-in under way, as far as this browser may go on with it. `destination` has the pages and rules that it walks by: those of
 * the site that `asked`, or the main network's own, while that one says who it is.
 */
export type Walk = { token: string; signIn: SignIn; destination: Destination; asked: Asked; secrets: Secrets };

/**
 * What the cookie of a sign-in holds. `browser` is made when the sign-in begins, `known` each time somebody says who they are:
 * a cookie that was copied before that is worth nothing afterwards.
 */
type Secrets = { browser: string; known: string };

export const sendForm = (reply: FastifyReply, form: PostForm, title: AutoPostTitle) =>
  sendPage(reply, renderAutoPost({ ...form, title }), autoPostPolicy(autoPostScriptHash));

/** A sign-in in which nobody has said yet who they are. */
const nobody = { user_id: null, known_hash: null, login_from: null, authenticated_at: null, mfa: null, social: null };

const expired = () =>
  new PageError(
    410,
    'This sign-in has expired',
    'It was begun too long ago, in another browser, or is already finished. Go back to the application and sign in again.',
  );

/**
 * The way from a request to its answer: who are you, may you, prove it again, is your password too old, may you here. Each
 * page takes one step; `proceed` finds the next.
 */
export const createWalk = (parts: Parts) => {
  const { db, config, vault } = parts;
  const arrivals = createArrivals(db);

  const begin = async (request: FastifyRequest, reply: FastifyReply, asked: Asked, known?: Identity) => {
    chargeVisitor(parts, request, 'signIns', known?.user.id);
    const secrets = { browser: newToken(), known: known ? newToken() : '' };
    const token = await insertSignIn(db, {
      browser_hash: hashToken(secrets.browser),
      known_hash: known ? hashToken(secrets.known) : null,
      network_id: asked.destination.network.id,
      site_id: asked.destination.site.id,
      request_id: asked.requestId ?? null,
      name_id_format: asked.nameIdFormat,
      relay_state: asked.relayState ?? null,
      is_forced: asked.isForced,
      user_id: known?.user.id ?? null,
      login_from: known?.session.login_from ?? null,
      authenticated_at: known?.session.authenticated_at ?? null,
      expires_at: new Date(Date.now() + minutesToSignIn * 60_000),
    });
    dropOldest(config, request, reply, { prefix: 'signin-', most: mostOpenSignIns });
    keepSecrets(reply, token, secrets);
    return reply.redirect(`/signin/${token}${known ? '/verify' : ''}`, 303);
  };

  const keepSecrets = (reply: FastifyReply, token: string, { browser, known }: Secrets) =>
    setCookie(
      config,
      reply,
      flowCookie('signin-', token),
      known === '' ? browser : `${browser}.${known}`,
      minutesToSignIn * 60,
    );

  const readSecrets = (request: FastifyRequest, token: string): Secrets => {
    const [browser = '', known = ''] = (readCookie(config, request, flowCookie('signin-', token)) ?? '').split('.');
    return { browser, known };
  };

  const resume = (request: PageRequest): Promise<Walk> => resumeAt(request, request.params.token);

  const resumeAt = async (request: FastifyRequest, token: string): Promise<Walk> => {
    const secrets = readSecrets(request, token);
    const found = await findSignIn(db, token, secrets.browser);
    const site = found && (await arrivals.siteOf(found.signIn, found.stamp));
    if (!site) throw expired();
    const { signIn } = found;
    const destination = signIn.network_id === site.network.id ? site : await findMainEntrance(db);
    const asked: Asked = {
      destination: site,
      requestId: signIn.request_id ?? undefined,
      nameIdFormat: signIn.name_id_format ?? nameIdFormats.emailAddress,
      relayState: acceptedRelayState(signIn.relay_state ?? undefined),
      isForced: signIn.is_forced,
      isPassive: false,
    };
    return { token, signIn, destination, asked, secrets };
  };

  const proofOf = ({ token, secrets }: Pick<Walk, 'token' | 'secrets'>): string =>
    vault.sign('sign-in', `${token}\0${secrets.browser}`);

  /** A step that is taken by a form: only by the page that we gave to this browser. */
  const resumeForm = async (request: PageRequest): Promise<Walk> => {
    const walk = await resume(request);
    if (!isSame(formFields(request)['csrf'] ?? '', proofOf(walk))) throw expired();
    return walk;
  };

  /** The person who has said in this browser who they are, if they may still sign in, and still in this way. */
  const knownUser = async ({ signIn, destination, secrets }: Walk): Promise<Standing> => {
    const isTheirs = signIn.known_hash?.equals(hashToken(secrets.known)) === true;
    const isAccepted = !isOwnLogin(signIn.login_from) || acceptsOwnLogin(destination);
    const user =
      signIn.user_id !== null && isTheirs && isAccepted
        ? await findStandingById(db, destination, signIn.user_id)
        : undefined;
    if (!user || firstRefusal(mayYou, { user, destination })) throw expired();
    return user;
  };

  const factorsAt = (destination: Destination, user: Standing): readonly Factor[] =>
    factorsFor({ user, destination, ownerMfa: config.ownerMfa });

  /** Whether a second factor is still owed: none is proven, or one that is not accepted here. */
  const owesFactor = (
    request: FastifyRequest,
    destination: Destination,
    user: Standing,
    { mfa, isForced }: { mfa: SignIn['mfa']; isForced: boolean },
  ): boolean => {
    if (isEnough(factorsAt(destination, user), mfa)) return false;
    const trust = readCookie(config, request, `trusted-${destination.network.id}`);
    return isForced || !isTrusted(vault, trust, user, destination);
  };

  const needsFactor = (request: FastifyRequest, { signIn, destination }: Walk, user: Standing): boolean =>
    owesFactor(request, destination, user, { mfa: signIn.mfa, isForced: signIn.is_forced });

  /**
   * The factors that may be proven next. Before an authenticator is set up, a mailed code is proven in the same sign-in: the
   * password alone must not add a factor. Empty where an authenticator would have to be set up and this sign-in may not.
   */
  const nextFactors = ({ signIn, destination }: Walk, user: Standing): readonly Factor[] => {
    const factors = factorsAt(destination, user);
    if (!factors.includes('setup')) return factors;
    if (!canEnrol(signIn, signIn.created_at)) return [];
    return signIn.mfa === 'email' ? factors : ['email'];
  };

  /** The page that is still owed, if any. */
  const nextPage = (request: FastifyRequest, walk: Walk, user: Standing): string | undefined => {
    if (needsFactor(request, walk, user)) return `/signin/${walk.token}/verify`;
    if (user.isPasswordOld && walk.signIn.login_from === ownLogin) return `/signin/${walk.token}/password`;
    return undefined;
  };

  /** Somebody is known now: on to the next step. What was just proven is noted only where there is one. */
  const proceed = async (
    request: FastifyRequest,
    reply: FastifyReply,
    former: Walk,
    user: Standing,
    proven?: Partial<SignIn>,
  ) => {
    const walk = { ...former, signIn: { ...former.signIn, ...proven } };
    if (needsFactor(request, walk, user) && nextFactors(walk, user).length === 0)
      return demandPassword(request, reply, former, user);
    const page = nextPage(request, walk, user);
    if (page === undefined && !isThroughMain(walk)) return finish(request, reply, walk, user);
    const noted = proven
      ? await become(reply, former, (known_hash) => noteKnown(db, former.signIn, user, { ...proven, known_hash }))
      : walk;
    return page === undefined ? comeBack(request, reply, noted, user) : reply.redirect(page, 303);
  };

  /** Notes who is known in a sign-in from now on, and gives the browser a new secret that goes with it. */
  const become = async (
    reply: FastifyReply,
    walk: Walk,
    note: (known_hash: Buffer) => Promise<SignIn | undefined>,
  ): Promise<Walk> => {
    const secrets = { ...walk.secrets, known: newToken() };
    const signIn = await note(hashToken(secrets.known));
    if (!signIn) throw expired();
    keepSecrets(reply, walk.token, secrets);
    return { ...walk, signIn, secrets };
  };

  /**
   * The main network knows who it is: back to the site, which may ask for more, or not take its word any longer. A social login
   * at the main network stays one: it must not count as our own afterwards.
   */
  const comeBack = async (
    request: FastifyRequest,
    reply: FastifyReply,
    walk: Walk,
    user: Standing,
  ): Promise<unknown> => {
    if (!offersMain(walk.asked.destination)) return refuseMain(request, reply, walk, user);
    const { login_from } = walk.signIn;
    const back = await returnToSite(walk, { login_from: isOwnLogin(login_from) ? mainLogin : login_from });
    return proceed(request, reply, back, await knownUser(back));
  };

  const returnToSite = async (walk: Walk, changes: Partial<SignIn>): Promise<Walk> => {
    const { destination } = walk.asked;
    return { ...(await advance(walk, { ...changes, network_id: destination.network.id })), destination };
  };

  const refuseMain = async (request: FastifyRequest, reply: FastifyReply, walk: Walk, user?: Standing) => {
    const came = cameFrom(request);
    await takeTryAt(db, came.address);
    const back = await returnToSite(walk, nobody);
    const member = user && (await findStandingById(db, back.destination, user.id));
    await logFailure(parts, back.destination, { user: member, reason: notOffered, ...came });
    const error = 'This way to sign in is not offered here any more.';
    return createSignInPage(parts, { show })(reply.status(403), back, { email: '', error });
  };

  /** An authenticator has to be set up, and this sign-in was not begun by a fresh password: it starts over with one. */
  const demandPassword = async (request: FastifyRequest, reply: FastifyReply, walk: Walk, user: Standing) => {
    const back = await returnToSite(walk, nobody);
    const reason = 'no second factor set up';
    // The account was known at the main network perhaps; whether it belongs to the site's network decides what its log may have.
    const member = await findStandingById(db, back.destination, user.id);
    const typed = typedIn(walk, user);
    await logFailure(parts, back.destination, { user: member, typed, reason, ...cameFrom(request) });
    const error = takesPassword(back)
      ? 'This network asks for an authenticator app. Sign in with your email and password to set one up.'
      : `This network asks for an authenticator app. Set one up in your profile at ${config.publicUrl}, then sign in here again.`;
    return createSignInPage(parts, { show })(reply.status(403), back, { email: '', error });
  };

  /** On to the main network's own sign-in, which then says who it is. */
  const goThroughMain = async (request: FastifyRequest, reply: FastifyReply, walk: Walk) => {
    if (!offersMain(walk.asked.destination)) return refuseMain(request, reply, walk);
    const { network } = await findMainEntrance(db);
    await advance(walk, { ...nobody, network_id: network.id });
    return reply.redirect(`/signin/${walk.token}`, 303);
  };

  /** Back to the first page, with nobody known. */
  const startOver = async (reply: FastifyReply, walk: Walk) => {
    await returnToSite(walk, nobody);
    return reply.redirect(`/signin/${walk.token}`, 303);
  };

  /**
   * The address, where it was typed in this very sign-in on a page of the site's own network. A session, a passkey, a provider and the
   * main network know it without that.
   */
  const typedIn = (walk: Walk, user: Standing): string | undefined => {
    const { login_from, authenticated_at, created_at } = walk.signIn;
    const isTyped = login_from === ownLogin && authenticated_at !== null && authenticated_at >= created_at;
    return isTyped && !isThroughMain(walk) ? user.email : undefined;
  };

  const finish = async (request: FastifyRequest, reply: FastifyReply, walk: Walk, user: Standing) => {
    const { signIn, asked, destination } = walk;
    if (!(await deleteSignIn(db, signIn.id))) throw expired();
    const by = signIn.login_from ?? ownLogin;
    const isSpared = signIn.mfa === null && factorsAt(destination, user).length > 0;
    const mfa = isSpared ? 'device' : signIn.mfa;
    const identity = await openIdentity(parts, user, readCookie(config, request, 'identity'), {
      // The main network's sign-in is the product's own, and so is a passkey.
      loginFrom: by === mainLogin || by === passkeyLogin ? ownLogin : by,
      mfa,
      authenticatedAt: signIn.authenticated_at ?? new Date(),
      ...cameFrom(request),
    });
    if (!identity) throw expired();
    setCookie(config, reply, 'identity', identity.token);
    clearCookie(config, reply, flowCookie('signin-', walk.token));
    clearCookie(config, reply, 'logout');
    await meetDevice(request, reply, user, destination);
    const linked = await settleSocial(parts, signIn, user);
    const how = [
      ...(by === passkeyLogin ? [] : [by === ownLogin ? 'password' : by]),
      ...(mfa ? [mfa] : []),
      ...(linked !== undefined ? [`linked to ${linked}`] : []),
    ].join(', ');
    return orStatus(reply, () => enter(request, reply, asked, identity, { how, typed: typedIn(walk, user) }));
  };

  /** Tells the person of a browser that is not known, or not since the credentials were changed. It is known from now on. */
  const meetDevice = async (
    request: FastifyRequest,
    reply: FastifyReply,
    user: Standing,
    { site }: Destination,
  ): Promise<void> => {
    const { isKnown } = keepDevice(parts, request, reply, user);
    if (isKnown || user.lastLoginAt === null) return;
    const domain = user.isMember ? site.domain : undefined;
    const where = { address: addressOf(request), browser: browserFamily(request.headers['user-agent'] ?? ''), domain };
    await parts.jobs.sendMail(db, { to: user.email, ...deviceNotice(config.publicUrl, where) });
  };

  /** Where the protocol has a word for a refusal, the service provider gets it. */
  const orStatus = async <T>(reply: FastifyReply, work: () => Promise<T>) => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return sendForm(reply, answerStatus(parts, error), 'Returning to the application…');
    }
  };

  /** The live session of the browser, if the account may sign in and the site accepts how the session was opened. */
  const standingIdentity = ({ identity, destination, isForced }: Asked & Arrival): Identity | undefined => {
    if (!identity || isForced || firstRefusal(mayYou, { ...identity, destination })) return undefined;
    return !isOwnLogin(identity.session.login_from) || acceptsOwnLogin(destination) ? identity : undefined;
  };

  /** A live session is answered at once, unless the site asks for more than the session has proven. */
  const receive = (
    request: FastifyRequest,
    reply: FastifyReply,
    read: (arrive: (whereto: Whereto) => Promise<Arrival | undefined>) => Promise<Asked & Arrival>,
  ) =>
    orStatus(reply, async () => {
      const asked = await read((whereto) => arrivals.arrive(whereto, readCookie(config, request, 'identity')));
      const identity = standingIdentity(asked);
      if (identity) refuseStranger(asked, identity);
      const isKnown =
        identity !== undefined &&
        !owesFactor(request, asked.destination, identity.user, { mfa: identity.session.mfa, isForced: false });
      if (isKnown) {
        renewDevice(parts, request, reply, identity.user);
        return enter(request, reply, asked, identity, { how: 'session' });
      }
      if (asked.isPassive) throw noPassive(asked);
      return begin(request, reply, asked, identity && canStepUp(asked, identity) ? identity : undefined);
    });

  const noPassive = (asked: Asked) => new StatusError(asked, { code: 'Responder', subcode: 'NoPassive' });

  /**
   * Any web page can lead a browser here, so that a visit says nothing of what the person wants the network to know. Somebody who is
   * not a member leaves no line in its log, and a passive request is answered as without a session. They are told at once: no
   * second factor would let them in.
   */
  const refuseStranger = (asked: Asked, { user }: Identity): void => {
    const attempt = { user, destination: asked.destination };
    const refusal = isStranger(attempt) ? firstRefusal(mayYouHere, attempt) : undefined;
    if (refusal) throw asked.isPassive ? noPassive(asked) : refusalPage(asked, refusal);
  };

  /** Whether a session can prove what is missing. One that may not set up an authenticator starts over with the password. */
  const canStepUp = ({ destination }: Asked, { user, session }: Identity): boolean =>
    !factorsAt(destination, user).includes('setup') || canEnrol(session, new Date());

  /** The last question, and the answer to the service provider. */
  const enter = async (
    request: FastifyRequest,
    reply: FastifyReply,
    asked: Asked,
    identity: Identity,
    { how, typed }: { how: string; typed?: string | undefined },
  ) => {
    const { destination } = asked;
    const { user } = identity;
    const refusal = firstRefusal(mayYouHere, { user, destination });
    if (refusal) {
      await logFailure(parts, destination, { user, typed, reason: refusal.reason, ...cameFrom(request) });
      throw refusalPage(asked, refusal);
    }
    return sendForm(reply, await answer(parts, asked, identity, cameFrom(request), how), 'Signing you in…');
  };

  const refusalPage = (asked: Asked, { told }: Refusal): StatusError | PageError =>
    asked.isPassive || told === 'nothing'
      ? new StatusError(asked, { code: 'Responder', subcode: 'RequestDenied' })
      : new PageError(403, told.title, told.message);

  /** A page of the sign-in, dressed for where it leads. */
  const show = (
    reply: FastifyReply,
    walk: Walk,
    render: (look: Look, csrf: string) => string,
    { asksPasskey = false }: { asksPasskey?: boolean } = {},
  ) => {
    const look = toLook(walk.destination);
    const script = asksPasskey ? `${config.publicUrl}${assets.passkeyScript.path}` : undefined;
    const footer = look.footer && 'html' in look.footer ? look.footer : undefined;
    return sendPage(reply, render(look, proofOf(walk)), pagePolicy({ script, footer }));
  };

  /** Notes how far it has come; gone meanwhile, it has expired. */
  const advance = async (walk: Walk, changes: Partial<SignIn>): Promise<Walk> => {
    const signIn = await updateSignIn(db, walk.signIn, changes);
    if (!signIn) throw expired();
    return { ...walk, signIn };
  };

  /** For a change that depends on this sign-in, made while the account's row is locked: refuses it if the sign-in has changed. */
  const assertStill = async (tx: Transaction, { signIn }: Walk): Promise<void> => {
    if (!(await isStill(tx, signIn))) throw expired();
  };

  /** What a passkey had to sign is used up, whether or not the answer is good: whatever page comes next asks anew. */
  const takeChallenge = async (walk: Walk): Promise<Walk> => {
    const signIn = await replaceChallenge(db, walk.signIn, newChallenge());
    if (!signIn) throw expired();
    return { ...walk, signIn };
  };

  return {
    receive,
    resume,
    resumeAt,
    resumeForm,
    knownUser,
    needsFactor,
    factorsAt,
    nextFactors,
    proceed,
    goThroughMain,
    startOver,
    show,
    advance,
    typedIn,
    become,
    takeChallenge,
    assertStill,
  };
};
export type Walking = ReturnType<typeof createWalk>;
