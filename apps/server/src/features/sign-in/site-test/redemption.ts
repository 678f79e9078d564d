import type { SiteTestCheck } from '@opensocial/contract';
import type { TestFailure } from './explainer.ts';
import { findTestByCode, updateTest } from './site-tests.queries.ts';
import { type TestParts, toStep, withStep } from './test-run.ts';

type Redemption = { code: string; failure: TestFailure | undefined };

/** Records how an application has redeemed the code of a test. A code that is used again does not change a success. */
export const recordRedemption = async (
  { db, explainer }: TestParts,
  siteId: number,
  { code, failure }: Redemption,
): Promise<void> => {
  const test = await findTestByCode(db, siteId, code);
  if (!test || test.steps.some(({ id, checks }) => id === 'token' && checks.every(({ outcome }) => outcome === 'yes')))
    return;
  const check: SiteTestCheck = failure
    ? { label: 'Code', outcome: 'no', text: await explainer.explainFailure(siteId, failure) }
    : { label: 'Code', outcome: 'yes', text: 'The application redeemed its code and got its tokens.' };
  await updateTest(db, test, { steps: withStep(test.steps, toStep('token', [check])) });
};
