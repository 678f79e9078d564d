import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../../config.ts';
import { flowCookie, readCookie, setCookie } from '../../../http/cookies.ts';
import { PageError } from '../../../http/errors.ts';
import type { Parts } from '../../../parts.ts';
import type { Vault } from '../../../secrets/encryption.ts';
import type { Destination } from '../destination/destinations.queries.ts';
import type { SiteCache } from '../destination/site-cache.ts';
import type { TestExplainer } from '../site-test/explainer.ts';
import { minutesToSignIn, type SignIn } from './sign-ins.queries.ts';
import type { SignOnRequest } from './sign-on-request.ts';

/** The services of the server, with the cache of sites and the explanation of tests, which all routes of the sign-in share. */
export type SignInParts = Parts & { siteCache: SiteCache; explainer: TestExplainer };

/** A request and its reply. */
export type Exchange = { request: FastifyRequest; reply: FastifyReply };

/** A request for one of the pages of a sign-in. */
export type PageRequest = FastifyRequest<{ Params: { token: string } }>;

/**
 * A sign-in in progress, in the browser that began it. `destination` has the pages and rules that apply: those of the site in `signOn`,
 * or those of the main network while the person signs in there.
 */
export type SignInFlow = {
  token: string;
  signIn: SignIn;
  destination: Destination;
  signOn: SignOnRequest;
  secrets: FlowSecrets;
};

/**
 * The secrets in the cookie of a sign-in. `browser` is created when the sign-in begins, and `identified` each time a person is
 * identified, so that a cookie that was copied before is not valid afterwards.
 */
export type FlowSecrets = { browser: string; identified: string };

export const setSecrets = (
  config: Config,
  reply: FastifyReply,
  token: string,
  { browser, identified }: FlowSecrets,
): void => {
  const value = identified === '' ? browser : `${browser}.${identified}`;
  setCookie(config, reply, flowCookie('signin-', token), value, minutesToSignIn * 60);
};

export const readSecrets = (config: Config, request: FastifyRequest, token: string): FlowSecrets => {
  const [browser = '', identified = ''] = (readCookie(config, request, flowCookie('signin-', token)) ?? '').split('.');
  return { browser, identified };
};

type FormOrigin = Pick<SignInFlow, 'token' | 'secrets'>;

const browserOf = ({ token, secrets }: FormOrigin): string => `${token}\0${secrets.browser}`;

/** The CSRF token of the forms of a sign-in. It is bound to the browser. */
export const csrfTokenOf = (vault: Vault, flow: FormOrigin): string => vault.sign('sign-in', browserOf(flow));

export const isCsrfTokenOf = (vault: Vault, flow: FormOrigin, given: string): boolean =>
  vault.verify('sign-in', browserOf(flow), given);

/** Whether the person signs in at the main network, for a site of another network. */
export const isAtMainNetwork = ({ destination, signOn }: Pick<SignInFlow, 'destination' | 'signOn'>): boolean =>
  destination.network.id !== signOn.destination.network.id;

/** The columns of a sign-in in which no person is identified. */
export const nobodyIdentified = {
  user_id: null,
  known_hash: null,
  login_from: null,
  authenticated_at: null,
  mfa: null,
  social: null,
};

export const flowExpired = () =>
  new PageError(
    410,
    'This sign-in has expired',
    'It was started too long ago or in another browser, or it is already complete. Go back to the application and sign in again.',
  );
