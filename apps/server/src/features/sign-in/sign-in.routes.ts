import {
  acceptedRelayState,
  buildIdpMetadata,
  nameIdFormats,
  type PostForm,
  readPost,
  readRedirect,
} from '@opensocial/saml';
import { autoPostScriptHash, type Look, renderAutoPost, renderSignIn } from '@opensocial/signin';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addressOf } from '../../http/address.ts';
import { readCookie, setCookie } from '../../http/cookies.ts';
import { PageError } from '../../http/errors.ts';
import { formFields, queryFields, rawQuery } from '../../http/fields.ts';
import { footerPolicy, pagePolicy } from '../../http/headers.ts';
import { sendPage } from '../../http/pages.ts';
import type { Parts } from '../../parts.ts';
import { hashToken, isSame, newToken } from '../../secrets/tokens.ts';
import { findCertificates, findNetworkByName } from '../networks/networks.service.ts';
import { idpAddresses } from './addresses.ts';
import { answer, answerStatus } from './answer.ts';
import { daysToKnowDevice, newDevice } from './device.ts';
import { toLook } from './look.ts';
import { type Asked, readRequest, StatusError, unknownApplication } from './request.ts';
import {
  type Destination,
  deleteSignIn,
  findIdentity,
  findSignIn,
  findSiteById,
  findSiteInNetwork,
  type Identity,
  insertSignIn,
} from './sign-in.queries.ts';
import { identifyByPassword, logFailure, openIdentity } from './sign-in.service.ts';
import { firstRefusal, mayYou, mayYouHere, type Refusal } from './steps.ts';

const minutesToSignIn = 30;
const longestPassword = 1_024;
const refusedText = 'The email or password is not right, or this account cannot sign in here.';

export const sendForm = (reply: FastifyReply, form: PostForm, title: string) =>
  sendPage(reply, renderAutoPost({ ...form, title }), pagePolicy(autoPostScriptHash));

export const signInRoutes = (app: FastifyInstance, parts: Parts): void => {
  const { db, config, vault } = parts;

  app.get<{ Params: { network: string } }>('/saml/:network/metadata', async ({ params }, reply) => {
    const found = await findNetworkByName(db, params.network);
    if (!found) throw unknownNetwork();
    const metadata = buildIdpMetadata({
      ...idpAddresses(config, params.network),
      certificates: await findCertificates(db, found.network.id),
      nameIdFormats: [nameIdFormats.emailAddress, nameIdFormats.persistent, nameIdFormats.transient],
    });
    return reply.type('application/samlmetadata+xml').send(metadata);
  });

  app.get<{ Params: { network: string } }>('/saml/:network/sso', async (request, reply) => {
    const message = readRedirect(rawQuery(request));
    return receive(request, reply, () => readRequest(db, config, request.params.network, message));
  });

  app.post<{ Params: { network: string } }>('/saml/:network/sso', { bodyLimit: 512 * 1024 }, async (request, reply) => {
    const { SAMLRequest = '', RelayState, resubmitted } = formFields(request);
    const fields = { SAMLRequest, ...(RelayState !== undefined && { RelayState }) };
    // A service provider's post is cross-site, so our cookies stayed behind. Posted once more by our own page, they come along.
    if (!resubmitted && !readCookie(config, request, 'identity')) {
      const action = `${config.publicUrl}${request.url}`;
      return sendForm(reply, { action, fields: { ...fields, resubmitted: 'yes' } }, 'Signing you in…');
    }
    return receive(request, reply, () => readRequest(db, config, request.params.network, readPost(fields)));
  });

  app.get<{ Params: { network: string; site: string } }>('/saml/:network/start/:site', async (request, reply) =>
    receive(request, reply, async () => {
      const id = Number(request.params.site);
      const destination = Number.isSafeInteger(id)
        ? await findSiteInNetwork(db, request.params.network, id)
        : undefined;
      if (!destination) throw unknownApplication();
      return {
        destination,
        requestId: undefined,
        nameIdFormat: nameIdFormats.emailAddress,
        relayState: acceptedRelayState(queryFields(request)['RelayState']),
        isForced: false,
        isPassive: false,
      };
    }),
  );

  app.get<{ Params: { token: string } }>('/signin/:token', async (request, reply) => {
    const { destination, signIn } = await resume(request);
    return sendSignInPage(reply, request.params.token, destination, signIn.is_forced);
  });

  app.post<{ Params: { token: string } }>('/signin/:token', async (request, reply) => {
    const { token } = request.params;
    const { email = '', password = '', csrf = '' } = formFields(request);
    const { signIn, asked, browser } = await resume(request);
    if (!isSame(csrf, formProof(token, browser))) throw expired();
    const credentials = { email: email.slice(0, 254), password, device: readCookie(config, request, 'device') };
    const isPossible = password.length <= longestPassword;
    const user = isPossible
      ? await identifyByPassword(parts, asked.destination, credentials, addressOf(request))
      : undefined;
    if (!user) {
      const tried = { email: credentials.email, error: refusedText };
      return sendSignInPage(reply.status(401), token, asked.destination, signIn.is_forced, tried);
    }
    if (!(await deleteSignIn(db, signIn.id))) throw expired();
    const identity = await openIdentity(parts, user, readCookie(config, request, 'identity'));
    setCookie(config, reply, 'identity', identity.token);
    setCookie(config, reply, 'device', newDevice(vault, user.uid), daysToKnowDevice * 86_400);
    return orStatus(reply, () => enter(request, reply, asked, identity, 'password'));
  });

  /** Answers a live session at once; else begins a sign-in that the pages walk. */
  const receive = (request: FastifyRequest, reply: FastifyReply, read: () => Promise<Asked>) =>
    orStatus(reply, async () => {
      const asked = await read();
      const identity = await identityOf(request, asked);
      if (identity) return enter(request, reply, asked, identity, 'session');
      if (asked.isPassive) throw new StatusError(asked, { code: 'Responder', subcode: 'NoPassive' });
      return begin(request, reply, asked);
    });

  /** Where the protocol has a word for a refusal, the service provider gets it. */
  const orStatus = async <T>(reply: FastifyReply, work: () => Promise<T>) => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return sendForm(reply, answerStatus(parts, error), 'Returning to the application…');
    }
  };

  const identityOf = async (request: FastifyRequest, asked: Asked): Promise<Identity | undefined> => {
    const token = readCookie(config, request, 'identity');
    if (token === undefined || asked.isForced) return undefined;
    const identity = await findIdentity(db, asked.destination, token);
    return identity && !firstRefusal(mayYou, { ...identity, destination: asked.destination }) ? identity : undefined;
  };

  /** The last question, and the answer to the service provider. */
  const enter = async (
    request: FastifyRequest,
    reply: FastifyReply,
    asked: Asked,
    identity: Identity,
    reason: string,
  ) => {
    const { destination } = asked;
    const refusal = firstRefusal(mayYouHere, { user: identity.user, destination });
    if (refusal) return turnAway(request, asked, identity, refusal);
    return sendForm(reply, await answer(parts, asked, identity, addressOf(request), reason), 'Signing you in…');
  };

  const turnAway = async (
    request: FastifyRequest,
    asked: Asked,
    { user }: Identity,
    refusal: Refusal,
  ): Promise<never> => {
    await logFailure(parts, asked.destination, {
      email: user.email,
      user,
      address: addressOf(request),
      reason: refusal.reason,
    });
    if (asked.isPassive || refusal.told === 'nothing')
      throw new StatusError(asked, { code: 'Responder', subcode: 'RequestDenied' });
    throw new PageError(403, refusal.told.title, refusal.told.message);
  };

  const begin = async (request: FastifyRequest, reply: FastifyReply, asked: Asked) => {
    const browser = readCookie(config, request, 'browser') ?? newToken();
    const token = await insertSignIn(db, {
      browser_hash: hashToken(browser),
      network_id: asked.destination.network.id,
      site_id: asked.destination.site.id,
      request_id: asked.requestId ?? null,
      name_id_format: asked.nameIdFormat,
      relay_state: asked.relayState ?? null,
      is_forced: asked.isForced,
      expires_at: new Date(Date.now() + minutesToSignIn * 60_000),
    });
    setCookie(config, reply, 'browser', browser);
    return reply.redirect(`/signin/${token}`, 303);
  };

  /** A sign-in under way, as far as this browser may go on with it. */
  const resume = async (request: FastifyRequest<{ Params: { token: string } }>) => {
    const browser = readCookie(config, request, 'browser') ?? '';
    const signIn = await findSignIn(db, request.params.token, browser);
    const destination = signIn && (await findSiteById(db, signIn.site_id));
    if (!destination) throw expired();
    const asked: Asked = {
      destination,
      requestId: signIn.request_id ?? undefined,
      nameIdFormat: signIn.name_id_format ?? nameIdFormats.emailAddress,
      relayState: signIn.relay_state ?? undefined,
      isForced: signIn.is_forced,
      isPassive: false,
    };
    return { signIn, destination, asked, browser };
  };

  const formProof = (token: string, browser: string) => vault.sign('sign-in', `${token}\0${browser}`);

  const sendSignInPage = (
    reply: FastifyReply,
    token: string,
    destination: Destination,
    isForced: boolean,
    tried?: { email: string; error: string },
  ) => {
    const csrf = formProof(token, readCookie(config, reply.request, 'browser') ?? '');
    const form = { action: `/signin/${token}`, csrf, forceAuthn: isForced, ...tried };
    const look = toLook(destination);
    return sendPage(reply, renderSignIn({ look, form }), policyFor(look));
  };
};

const policyFor = ({ footer }: Look): string => (footer && 'html' in footer ? footerPolicy(footer) : pagePolicy());

const unknownNetwork = () =>
  new PageError(404, 'This network does not exist', 'Check the address, or ask whoever gave it to you.');

const expired = () =>
  new PageError(
    410,
    'This sign-in has expired',
    'It was begun too long ago, in another browser, or is already finished. Go back to the application and sign in again.',
  );
