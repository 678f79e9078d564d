import type { FindingCode, NetworkMode, SiteTestCheck } from '@opensocial/contract';
import type { ExchangeFacts } from '../../../identity/site-exchanges.ts';

/** Why a request or a call to the token endpoint was refused. */
export type TestFailure = { code: FindingCode; facts: ExchangeFacts; isVerified: boolean };

/** Explains a test. The features diagnosis and access checks import this one, so they are passed in instead of being imported here. */
export type TestExplainer = {
  /** The sentence of the diagnosis. */
  explainFailure: (siteId: number, failure: TestFailure) => Promise<string>;
  /** Every step of the decision whether a person may enter a site. */
  explainAccess: (
    network: { id: number; name: string; mode: NetworkMode },
    person: { siteId: number; userId: number },
  ) => Promise<SiteTestCheck[]>;
};
