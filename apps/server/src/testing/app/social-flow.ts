import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import { eq } from 'drizzle-orm';
import Fastify, { type FastifyRequest } from 'fastify';
import { networkSettings, signIns, sites } from '../../database/schema.ts';
import { findSiteAccountById } from '../../features/sign-in/accounts/site-accounts.queries.ts';
import { findSiteById } from '../../features/sign-in/destination/destinations.queries.ts';
import { findSignIn, insertSignIn } from '../../features/sign-in/flow/sign-ins.queries.ts';
import { toLook } from '../../features/sign-in/pages/look.ts';
import type { Definitions } from '../../features/social/social.providers.ts';
import { type SignInSteps, socialRoutes } from '../../features/social/social.routes.ts';
import { completeSocialLink } from '../../features/social/social.service.ts';
import { flowCookie, readCookie } from '../../http/cookies.ts';
import { installErrors, PageError } from '../../http/errors.ts';
import { formFields } from '../../http/fields.ts';
import { sendPage } from '../../http/pages.ts';
import { hashToken, newToken } from '../../secrets/tokens.ts';
import { Browser } from './browser.ts';
import { makeSite, networkNamed } from './builders.ts';
import type { TestApp } from './test-app.ts';

/** The result of a sign-in with a social login. */
export type Outcome = {
  status: number;
  userId?: number;
  loginFrom?: string;
  /** The provider that this sign-in has linked. */
  linked?: string;
  message?: string;
  reason?: string;
};

/** The routes of social logins with steps that report how the sign-in would continue. */
export const startSocialFlow = async ({ db, parts }: TestApp, definitions: Definitions) => {
  const resume = async (request: FastifyRequest, token: string) => {
    const found = await findSignIn(db, token, readCookie(parts.config, request, flowCookie('signin-', token)) ?? '');
    const destination = found && (await findSiteById(db, found.signIn.site_id));
    if (!destination) throw new PageError(410, 'This sign-in has expired', 'Begin again.');
    return { token, signIn: found.signIn, destination };
  };
  const steps: SignInSteps<Awaited<ReturnType<typeof resume>>> = {
    resumeByToken: (request, _reply, token) => resume(request, token),
    resumeFromForm: async (request) => {
      if (formFields(request)['csrf'] !== 'proof') throw new PageError(403, 'No form of ours', 'Begin again.');
      return resume(request, request.params.token);
    },
    show: (reply, { destination }, render) => sendPage(reply, render(toLook(destination))),
    continueAs: async (_request, reply, { signIn, destination }, known) => {
      const user = await findSiteAccountById(db, destination, known.userId);
      const [fresh] = await db.select().from(signIns).where(eq(signIns.id, signIn.id));
      if (!user || !fresh) throw new Error('The account or the sign-in was not found.');
      return reply.send({ ...known, linked: await completeSocialLink(parts, fresh, user) });
    },
    refuse: async (_request, reply, _flow, refusal) => reply.status(403).send(refusal),
  };
  const app = Fastify();
  await app.register(cookie);
  await app.register(formbody);
  installErrors(app, () => undefined);
  socialRoutes(app, parts, steps, definitions);

  /** Begins a sign-in to a site in a new browser. */
  const begin = async (site: { id: number; network_id: number }, draft: { is_forced?: boolean } = {}) => {
    const browser = new Browser(app);
    const ours = newToken();
    const token = await insertSignIn(db, {
      browser_hash: hashToken(ours),
      known_hash: null,
      network_id: site.network_id,
      site_id: site.id,
      request_id: null,
      name_id_format: null,
      relay_state: null,
      requested: null,
      is_forced: draft.is_forced ?? false,
      user_id: null,
      login_from: null,
      authenticated_at: null,
    });
    browser.cookies.set(flowCookie('signin-', token), ours);
    const readSignIn = async () => {
      const found = await findSignIn(db, token, ours);
      if (!found) throw new Error('The sign-in was not found.');
      return found.signIn;
    };
    return { browser, token, readSignIn };
  };

  /** Submits the button of a provider. Returns the URL that the browser is sent to. */
  const press = async (browser: Browser, token: string, provider: string): Promise<URL> => {
    const page = await browser.post(`/signin/${token}/with/${provider}`, { csrf: 'proof' });
    const address = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(page.html)?.[1];
    if (!address) throw new Error(`Not sent away: ${page.status} ${page.html}`);
    return new URL(address.replaceAll('&amp;', '&'));
  };

  /** Requests the callback URL with a provider's answer. */
  const comeBack = async (browser: Browser, answer: string): Promise<Outcome> => {
    const { status, html } = await browser.get(answer);
    return { status, ...(html.startsWith('{') ? (JSON.parse(html) as object) : { message: html }) };
  };
  return { begin, press, comeBack };
};

/** Stores a network's keys for a provider. */
export const giveKeys = async (
  { db, parts }: TestApp,
  network: string,
  provider: keyof Definitions,
  client: { id: string; secret: string },
): Promise<void> => {
  const { id } = await networkNamed(db, network);
  const keys = { [`${provider}_key`]: client.id, [`${provider}_secret`]: parts.vault.encrypt(client.secret) };
  await db.update(networkSettings).set(keys).where(eq(networkSettings.network_id, id));
};

export const makeSocialSite = (app: TestApp, options: string[], custom: string[] = [], network = 'northlab') =>
  makeSite(app.db, { network, auth_options: options, custom_auth_options: custom });

export const switchOff = (app: TestApp, site: { id: number }) =>
  app.db.update(sites).set({ auth_options: [], custom_auth_options: [] }).where(eq(sites.id, site.id));
