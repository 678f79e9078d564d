import type { SiteTestCheck, SiteTestStep, SiteTestStepId } from '@opensocial/contract';
import type { FastifyRequest } from 'fastify';
import { readCookie } from '../../../http/cookies.ts';
import { cleanMessage } from '../../../identity/redaction.ts';
import type { Parts } from '../../../parts.ts';
import { hashToken } from '../../../secrets/tokens.ts';
import type { Identity } from '../accounts/identity-sessions.queries.ts';
import type { Destination } from '../destination/destinations.queries.ts';
import type { TestExplainer, TestFailure } from './explainer.ts';
import { findActiveTest, type SiteTestRow, updateTest } from './site-tests.queries.ts';

/** The services that a test needs. */
export type TestParts = Pick<Parts, 'db' | 'config'> & { explainer: TestExplainer };

/** A request as it was received. */
export type RequestDescription = {
  /** The decoded message, for people. */
  text: string;
  /** The checks in their order. The one that has failed has an empty text, which the diagnosis provides. */
  checks: SiteTestCheck[];
  failure: TestFailure | undefined;
  isPassive: boolean;
};

/** Receives a function that describes the request. It is called only if a test runs, because the description takes time. */
export type DescribeRequest = (describe: () => RequestDescription) => void;

/** Stored and shown texts have a limit, because parts of them come from strangers. */
const maximumText = 1_500;
const maximumChecks = 40;
const maximumMessage = 20_000;

/**
 * The test that runs in a browser at a site. It is found by the cookie of the browser, and only for the owner who has begun it: for
 * anybody else who is signed in there, the sign-on is an ordinary one. Without the cookie there is no query.
 */
export const findTest = async (
  { db, config }: Pick<Parts, 'db' | 'config'>,
  request: FastifyRequest,
  { destination: { site }, identity }: { destination: Destination; identity: Identity | undefined },
): Promise<SiteTestRow | undefined> => {
  const token = readCookie(config, request, `test-${site.id}`);
  if (token === undefined || !identity?.user.isOwner || !identity.user.isMember) return undefined;
  return findActiveTest(db, { siteId: site.id, userId: identity.user.id, token });
};

/** A number with its noun. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The length of a value, which is shown instead of it, because the value is secret or differs with each sign-in. */
export const lengthOf = (value: string): string => plural(value.length, 'character');

/** Whether the next answer is to be shown before it is sent. */
export const isOpen = ({ state }: SiteTestRow): boolean => state !== 'sent' && state !== 'stopped';

/** The site as a test uses it: only the assertion is signed if the test finds out whether that is sufficient. */
export const asTested = (destination: Destination, { signs }: SiteTestRow): Destination =>
  signs === null ? destination : { ...destination, site: { ...destination.site, signs } };

export const toStep = (id: SiteTestStepId, checks: readonly SiteTestCheck[]): SiteTestStep => ({
  id,
  at: new Date().toISOString(),
  checks: checks.slice(0, maximumChecks).map((check) => ({ ...check, text: cleanMessage(check.text, maximumText) })),
});

/** The steps with one that is new, or that replaces an earlier one of its kind. */
export const withStep = (steps: readonly SiteTestStep[], step: SiteTestStep): SiteTestStep[] => [
  ...steps.filter(({ id }) => id !== step.id),
  step,
];

/** Records the request that a test is about from now on. An application may send several. */
export const recordRequest = async (
  { db, explainer }: TestParts,
  test: SiteTestRow,
  { text, checks, failure }: RequestDescription,
): Promise<SiteTestRow> => {
  const sentence = failure && (await explainer.explainFailure(test.site_id, failure));
  const explained = checks.map((check) =>
    check.outcome === 'no' ? { ...check, text: sentence ?? check.text } : check,
  );
  const changes = {
    state: failure ? ('refused' as const) : ('signing_in' as const),
    steps: [toStep('request', explained)],
    request: cleanMessage(text, maximumMessage),
    paused: null,
    code_hash: null,
  };
  await updateTest(db, test, changes);
  return { ...test, ...changes };
};

type Unpaused = { state: 'sent' | 'refused'; code?: string | undefined; error?: string };

/** Records an answer that was sent without a pause. `error` is the code of OpenID Connect that the application got. */
export const recordUnpaused = ({ db }: Pick<Parts, 'db'>, test: SiteTestRow, { state, code, error }: Unpaused) => {
  const sent = state === 'sent' ? 'it' : `a refusal${error === undefined ? '' : ` (${error})`}`;
  return updateTest(db, test, {
    state,
    code_hash: code === undefined ? null : hashToken(code),
    request: null,
    steps: withStep(
      test.steps,
      toStep('sent', [
        {
          label: 'Response',
          outcome: state === 'sent' ? 'note' : 'no',
          text: `The application asked for a response without a page, so ${sent} was sent without a pause.`,
        },
      ]),
    ),
  });
};

/** Marks the checks by the one that has failed: those before it have passed, and those after it were not made. */
export const markChecks = <Id extends string>(
  checks: readonly (SiteTestCheck & { id: Id })[],
  failed: Id | undefined,
): SiteTestCheck[] => {
  const place = checks.findIndex(({ id }) => id === failed);
  return checks.map(({ id: _id, ...check }, index) => {
    if (place === -1 || index < place) return check;
    return index === place
      ? { ...check, outcome: 'no', text: '' }
      : { ...check, outcome: 'skipped', text: 'Not checked, because of the problem above.' };
  });
};
