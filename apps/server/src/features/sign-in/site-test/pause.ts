import type { SiteTestCheck } from '@opensocial/contract';
import { renderSiteTest, type SiteTestPage, type SiteTestPart } from '@opensocial/signin';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { readCookie } from '../../../http/cookies.ts';
import { csrfToken } from '../../../http/origin.ts';
import { sendPage } from '../../../http/pages.ts';
import type { Parts } from '../../../parts.ts';
import { newUid } from '../../../secrets/tokens.ts';
import type { Identity } from '../accounts/identity-sessions.queries.ts';
import type { Destination } from '../destination/destinations.queries.ts';
import { toLook } from '../pages/look.ts';
import type { AnswerDescription } from './answer.ts';
import { type SiteTestRow, updateTest } from './site-tests.queries.ts';
import { type TestParts, toStep, withStep } from './test-run.ts';

/** A request that waits until its owner has looked at the answer. */
const PausedRequest = z.object({
  /** The columns of a sign-in in progress. */
  request: z.object({
    request_id: z.string().nullable(),
    name_id_format: z.string().nullable(),
    relay_state: z.string().nullable(),
    requested: z.unknown(),
  }),
  method: z.string(),
  /** Set if the application gets a refusal. */
  refusal: z.string().nullable(),
});
export type PausedRequest = z.infer<typeof PausedRequest>;

/**
 * An error that the OpenID Connect library has made for an application: a redirect, or a page that posts a form, encoded in Base64, with
 * its policy.
 */
const PausedError = z.object({
  error: z.union([z.object({ location: z.url() }), z.object({ page: z.base64(), policy: z.string() })]),
});
export type PausedError = z.infer<typeof PausedError>;

/** An answer that is sent when its owner continues. */
export const Paused = z.union([PausedRequest, PausedError]);
export type Paused = z.infer<typeof Paused>;

/** The content of the page of a test: an answer that can be sent, or the reason why there is none. */
export type Shown = {
  destination: Destination;
  /** Undefined until the person is known. */
  identity: Identity | undefined;
  answer: AnswerDescription | undefined;
  /** The answer to continue with; undefined if nothing can be sent. */
  paused: Paused | undefined;
  verdict: SiteTestPage['verdict'];
};

/** Whether the application gets a refusal. */
export const isPausedRefusal = (paused: Paused): boolean => 'error' in paused || paused.refusal !== null;

type TestExchange = { request: FastifyRequest; reply: FastifyReply };

/** Stores where a test has arrived, and renders the page that shows it. */
export const renderTest = async (
  parts: Parts & TestParts,
  request: FastifyRequest,
  test: SiteTestRow,
  shown: Shown,
): Promise<string> => {
  const { destination, identity, answer, paused, verdict } = shown;
  const { network, site } = destination;
  const person = identity ? await describePerson(parts, destination, identity) : [];
  const attempt = newUid();
  const withPerson = person.length > 0 ? withStep(test.steps, toStep('person', person)) : test.steps;
  const steps = answer ? withStep(withPerson, toStep('answer', withoutValues(answer.checks))) : withPerson;
  await updateTest(parts.db, test, {
    state: paused ? 'paused' : 'refused',
    steps,
    paused: paused ? { ...paused, attempt } : null,
  });
  return renderSiteTest({
    // The owner's own footer would need a policy of its own.
    look: { ...toLook(destination), announcement: undefined, footer: undefined },
    verdict,
    parts: [
      requestPart(test),
      ...(person.length > 0 ? [{ title: 'You, and whether you may enter', checks: person }] : []),
      ...(answer ? [{ title: 'The response, as it will be sent', ...answer }] : []),
    ],
    correction: verdict.outcome === 'no' ? toDiagnosis(parts.config, network.name, site) : undefined,
    form: paused && {
      action: `/signin-test/${encodeURIComponent(network.name)}/${site.id}`,
      csrf: csrfToken(parts, readCookie(parts.config, request, `test-${site.id}`)),
      attempt,
      label: `Send ${isPausedRefusal(paused) ? 'the refusal ' : ''}to ${site.site_name}`,
    },
  });
};

/** The diagnosis of a site in the console. */
const toDiagnosis = ({ publicUrl }: Parts['config'], network: string, { id, domain }: Destination['site']): string =>
  `${publicUrl}/sso-servers/${network}/sites/${encodeURIComponent(domain)}/${id}/sso#diagnosis`;

export const showTest = async (
  parts: Parts & TestParts,
  { request, reply }: TestExchange,
  test: SiteTestRow,
  shown: Shown,
) => sendPage(reply, await renderTest(parts, request, test, shown));

const requestPart = ({ request, steps }: SiteTestRow): SiteTestPart => {
  const checks = steps.find(({ id }) => id === 'request')?.checks ?? [
    {
      label: 'Request',
      outcome: 'note',
      text: 'The request arrived before you were signed in, so it was not recorded. It was accepted.',
    },
  ];
  return {
    title: 'The request, and its checks',
    checks,
    messages: request ? [{ title: 'Request as received, decoded', text: request }] : [],
  };
};

const factorNames: Record<NonNullable<Identity['session']['mfa']>, string> = {
  passkey: 'passkey',
  totp: 'authenticator app',
  email: 'code by email',
  recovery: 'recovery code',
  device: 'trusted browser',
};

const describePerson = async (
  { explainer }: TestParts,
  { network, site }: Destination,
  { user, session }: Identity,
): Promise<SiteTestCheck[]> => {
  const factor = session.mfa ? `with a second factor (${factorNames[session.mfa]})` : 'without a second factor';
  return [
    {
      label: 'Signed in',
      outcome: 'yes',
      text: `You are signed in as ${user.fullname.trim() ? `${user.fullname} (${user.email})` : user.email}, ${factor}.`,
    },
    ...(await explainer.explainAccess(network, { siteId: site.id, userId: user.id })),
  ];
};

/** The console shows the result later. The values that only the page shows are not stored. */
const withoutValues = (checks: readonly SiteTestCheck[]): SiteTestCheck[] =>
  checks.map((check) =>
    check.label === 'NameID' || check.label === 'Person'
      ? { ...check, text: 'The person is named as configured.' }
      : check,
  );
