import type { KoaContextWithOIDC } from 'oidc-provider';
import { hashToken } from '../../../secrets/tokens.ts';
import type { SignInParts } from '../flow/sign-in-flow.ts';
import { type PausedError, renderTest } from '../site-test/pause.ts';
import { type SiteTestRow, updateTest } from '../site-test/site-tests.queries.ts';
import { isOpen, recordRequest, recordUnpaused, toStep, withStep } from '../site-test/test-run.ts';
import { exchangeOf } from './exchanges.ts';
import { isForPeople } from './failures.ts';
import { writePage } from './pages.ts';
import { describeOidcError } from './test-answer.ts';
import { describeOidcRequest } from './test-request.ts';

/**
 * During a test, an error that the library would send to the application is shown first. Returns whether a page was written. A request
 * without pages (`prompt=none`) gets its error at once, which is recorded.
 */
export const pauseTestedError = async (parts: SignInParts, ctx: KoaContextWithOIDC): Promise<boolean> => {
  if (!ctx.oidc) return false;
  const { test, error, failure, resolved, request } = exchangeOf(ctx);
  if (!test || error === undefined || !resolved || !isForPeople(ctx)) return false;
  if (!isOpen(test)) {
    await recordLateError(parts, ctx, test, error);
    return false;
  }
  const { destination } = resolved;
  const description = describeOidcRequest(destination, ctx.oidc.params ?? ctx.query, failure);
  const refused = failure ? await recordRequest(parts, test, description) : test;
  if (!failure || description.isPassive) {
    await recordUnpaused(parts, refused, { state: 'refused', error });
    return false;
  }
  const paused = takeAnswer(ctx);
  ctx.status = 400;
  writePage(
    ctx,
    await renderTest(parts, request, refused, {
      destination,
      identity: undefined,
      answer: paused && describeOidcError(error),
      paused,
      verdict: {
        outcome: 'no',
        title: 'The request is not accepted',
        text: 'It is marked below. Correct it, and start the sign-in again.',
      },
    }),
  );
  return true;
};

/** Records that the library has answered with an error after the answer of a test was sent, for example because the session has ended. */
const recordLateError = async (
  { db }: SignInParts,
  { oidc }: KoaContextWithOIDC,
  test: SiteTestRow,
  error: string,
): Promise<void> => {
  if (oidc.route !== 'resume' || test.state !== 'sent' || test.code_hash !== null) return;
  const { checks } = describeOidcError(error);
  await updateTest(db, test, { steps: withStep(test.steps, toStep('sent', checks)) });
};

/**
 * Removes the answer of the library from the response, and returns it. It is a redirect, or a page that posts a form. There is none if the
 * application cannot be told, for example because the redirect address is not registered.
 */
const takeAnswer = (ctx: KoaContextWithOIDC): PausedError | undefined => {
  if (exchangeOf(ctx).isErrorShown) return undefined;
  const location = ctx.response.get('location');
  ctx.remove('location');
  if (location) return { error: { location } };
  // The page contains the state of the application, which may contain characters that PostgreSQL cannot store.
  const page = Buffer.from(String(ctx.body)).toString('base64');
  return { error: { page, policy: ctx.response.get('content-security-policy') } };
};

/** Stores the hash of the code that the answer of a test contains, by which its redemption is recognised. */
export const recordTestedCode = async ({ db }: SignInParts, test: SiteTestRow, code: string): Promise<void> => {
  if (isOpen(test)) await recordUnpaused({ db }, test, { state: 'sent', code });
  else if (test.code_hash === null) await updateTest(db, test, { code_hash: hashToken(code) });
};
