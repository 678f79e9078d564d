import { renderLeaving, renderSiteTest } from '@opensocial/signin';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clearCookie, readCookie } from '../../../http/cookies.ts';
import { PageError } from '../../../http/errors.ts';
import { formFields } from '../../../http/fields.ts';
import { keepOpener } from '../../../http/headers.ts';
import { isCsrfToken } from '../../../http/origin.ts';
import { sendPage } from '../../../http/pages.ts';
import type { ResolvedSite } from '../destination/site-cache.ts';
import { readStoredRequest } from '../flow/protocols.ts';
import type { SignInParts } from '../flow/sign-in-flow.ts';
import { handleSignOn } from '../flow/sign-on.ts';
import { SignOnError, type SignOnRefusal } from '../flow/sign-on-request.ts';
import { toLook } from '../pages/look.ts';
import { isPausedRefusal, Paused, type PausedError, type PausedRequest } from './pause.ts';
import { claimPaused, type SiteTestRow, updateTest } from './site-tests.queries.ts';
import { asTested, findTest, toStep, withStep } from './test-run.ts';

type OfSite = { Params: { network: string; site: string } };

/** The form of the page that shows the answer of a test: it sends the answer, or stops the test. */
export const siteTestPageRoutes = (app: FastifyInstance, parts: SignInParts): void => {
  app.post<OfSite>('/signin-test/:network/:site', async (request, reply) => {
    const found = await findShownTest(parts, request);
    if (!found) throw testOver();
    const { test, resolved } = found;
    const { decision, attempt = '' } = formFields(request);
    if (decision === 'stop') return stopTest(parts, reply, found);
    const paused = Paused.safeParse(await claimPaused(parts.db, test, attempt)).data;
    if (!paused) throw testOver();
    return sendPaused(parts, { request, reply }, { test, resolved, paused });
  });
};

type ShownTest = { test: SiteTestRow; resolved: ResolvedSite };

/** The test of a form. The form must be from a page that we sent to this browser, and the same owner must still be signed in. */
const findShownTest = async (parts: SignInParts, request: FastifyRequest<OfSite>): Promise<ShownTest | undefined> => {
  const { network, site } = request.params;
  const id = Number(site);
  if (!Number.isSafeInteger(id)) return undefined;
  const token = readCookie(parts.config, request, `test-${id}`);
  if (!isCsrfToken(parts, token, formFields(request)['csrf'])) return undefined;
  const resolved = await parts.siteCache.resolve({ network, id }, readCookie(parts.config, request, 'identity'));
  const test = resolved && (await findTest(parts, request, resolved));
  return test && { test, resolved };
};

type PageExchange = { request: FastifyRequest; reply: FastifyReply };

/** Records that the answer is sent, and sends it. */
const sendPaused = async (
  parts: SignInParts,
  exchange: PageExchange,
  { test, resolved, paused }: ShownTest & { paused: Paused },
) => {
  const [outcome, text] = isPausedRefusal(paused)
    ? (['no', 'The refusal was sent through your browser.'] as const)
    : (['yes', 'The response was created, signed and sent through your browser.'] as const);
  await updateTest(parts.db, test, {
    steps: withStep(test.steps, toStep('sent', [{ label: 'Response', outcome, text }])),
  });
  return 'error' in paused
    ? sendError(exchange.reply, resolved, paused)
    : sendAnswer(parts, exchange, { ...resolved, destination: asTested(resolved.destination, test) }, paused);
};

/** Sends an error of the OpenID Connect library as the library would have sent it. */
const sendError = (reply: FastifyReply, { destination }: ResolvedSite, { error }: PausedError) => {
  keepOpener(reply);
  return 'location' in error
    ? sendPage(reply, renderLeaving({ label: destination.site.site_name, url: error.location }))
    : sendPage(reply, Buffer.from(error.page, 'base64').toString('utf8'), error.policy);
};

/**
 * Answers a request that was paused, as if it had just come: everything is decided again, and the answer is made now. The request comes
 * from the database and not from the form.
 */
const sendAnswer = async (
  parts: SignInParts,
  exchange: PageExchange,
  resolved: ResolvedSite,
  { request, method, refusal }: PausedRequest,
) => {
  const { destination } = resolved;
  const { message, requiredFactors } = readStoredRequest({ ...request, requested: request.requested }, destination);
  if (message.protocol === 'oidc') keepOpener(exchange.reply);
  return handleSignOn(
    parts,
    exchange,
    async () => {
      if (refusal !== null) throw new SignOnError({ destination, message }, refusal as SignOnRefusal);
      return { ...resolved, message, requiredFactors, isForced: false, isPassive: false };
    },
    { method },
  );
};

const stopTest = async (parts: SignInParts, reply: FastifyReply, { test, resolved: { destination } }: ShownTest) => {
  await updateTest(parts.db, test, { state: 'stopped', request: null, paused: null });
  clearCookie(parts.config, reply, `test-${destination.site.id}`);
  const page = renderSiteTest({
    look: { ...toLook(destination), announcement: undefined, footer: undefined },
    verdict: {
      outcome: 'note',
      title: 'The test was stopped',
      text: `Nothing was sent to ${destination.site.site_name}. You can close this tab.`,
    },
    parts: [],
  });
  return sendPage(reply, page);
};

const testOver = () =>
  new PageError(
    410,
    'This test is over',
    'It took longer than ten minutes, was continued in another tab, or somebody else has signed in. Begin a new test in the console.',
  );
