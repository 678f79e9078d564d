import { ApiError, FindingCode, type SiteDiagnosis, type SiteExchange } from '@opensocial/contract';
import type { Queryable } from '../../database/connect.ts';
import type { Caller } from '../../http/actor.ts';
import { clean } from '../../identity/redaction.ts';
import { ExchangeFacts, requestAccepted } from '../../identity/site-exchanges.ts';
import type { Parts } from '../../parts.ts';
import { readVersion } from '../audit/audit.service.ts';
import { changeParameters } from '../sites/sites.changes.service.ts';
import {
  type FoundExchange,
  findExchanges,
  findSecretHints,
  getSite,
  sumRefusedRequests,
} from './diagnosis.queries.ts';
import { describeFacts } from './facts.ts';
import type { Explained, SiteRecord } from './finding.ts';
import { type Diagnosed, diagnose, warnAbout } from './findings.ts';

export { watch as watchSite } from './diagnosis.queries.ts';
export { deleteStale as deleteStaleExchanges } from './diagnosis.recorder.queries.ts';
export { createExchangeRecorder } from './diagnosis.recorder.service.ts';

type Read = { found: FoundExchange; facts: ExchangeFacts; diagnosed: Diagnosed };

/**
 * The exchanges of a site, explained. Rows that are not shown are left out, and those that another version of this program has written in
 * another form.
 */
const readExchanges = async (db: Queryable, site: SiteRecord): Promise<Read[]> => {
  const all = await findExchanges(db, site.id);
  const secretHints = site.oidc ? await findSecretHints(db, site.id) : [];
  return all.flatMap((found) => {
    const code = FindingCode.safeParse(found.exchange.code);
    const facts = ExchangeFacts.safeParse(found.exchange.facts);
    if (!code.success || !facts.success) return [];
    const explained = { ...toExplained(site, found, all), facts: facts.data, secretHints };
    return [{ found, facts: facts.data, diagnosed: diagnose(code.data, explained) }];
  });
};

const toExplained = (
  site: SiteRecord,
  found: FoundExchange,
  all: readonly FoundExchange[],
): Omit<Explained, 'facts' | 'secretHints'> => ({
  site,
  outcome: found.exchange.outcome,
  isVerified: found.exchange.is_verified,
  person: found.person ? { isInGroup: found.isInGroup, isBlocked: found.isBlocked } : undefined,
  hasSucceededSince: hasSucceededSince(found, all),
  wasOnTimeSince: all.some(
    ({ exchange }) => exchange.code === requestAccepted && exchange.last_at > found.exchange.last_at,
  ),
});

/** A client has succeeded at the token endpoint only if it got tokens. Its sign-in pages work also with a wrong secret. */
const hasSucceededSince = ({ exchange, person }: FoundExchange, all: readonly FoundExchange[]): boolean =>
  all.some(
    ({ exchange: { outcome, code, step, last_at, user_id } }) =>
      outcome === 'accepted' &&
      code === 'signed_in' &&
      last_at > exchange.last_at &&
      (exchange.step === 'token' ? step === 'token' : true) &&
      (person === null || user_id === person.id),
  );

type Failure = { code: FindingCode; facts: ExchangeFacts; isVerified: boolean };

/** Explains a failure that has just occurred. */
export const explainFailure = async (db: Queryable, siteId: number, failure: Failure) => {
  const site = await getSite(db, siteId);
  const { finding } = diagnose(failure.code, {
    site,
    facts: ExchangeFacts.catch({}).parse(clean(failure.facts)),
    outcome: 'refused',
    isVerified: failure.isVerified,
    person: undefined,
    hasSucceededSince: false,
    wasOnTimeSince: false,
    secretHints: site.oidc ? await findSecretHints(db, siteId) : [],
  });
  return finding;
};

const toWire = ({ found: { exchange, person }, facts, diagnosed }: Read): SiteExchange => ({
  id: exchange.id,
  first_at: exchange.first_at.toISOString(),
  last_at: exchange.last_at.toISOString(),
  times: exchange.times,
  step: exchange.step,
  outcome: exchange.outcome,
  is_verified: exchange.is_verified,
  person: person && { id: person.id, name: person.fullname, email: person.email },
  finding: diagnosed.finding,
  facts: describeFacts(facts),
});

export const readDiagnosis = async (db: Queryable, siteId: number): Promise<SiteDiagnosis> => {
  // The version comes first: one that is newer than the values would hide a change.
  const version = await readVersion(db, `site:${siteId}`);
  const site = await getSite(db, siteId);
  const exchanges = await readExchanges(db, site);
  const { watched_until: until } = site;
  return {
    protocol: site.protocol,
    exchanges: exchanges.map(toWire),
    warnings: warnAbout(site),
    watched_until: until && until.getTime() > Date.now() ? until.toISOString() : null,
    version,
  };
};

/** Failures that come after a sign-in. */
const laterSteps = new Set(['userinfo', 'logout']);

const isSignOnFailure = ({ found: { exchange }, diagnosed }: Read): boolean =>
  exchange.outcome === 'refused' && !laterSteps.has(exchange.step) && diagnosed.finding.code !== 'refresh_refused';

const isRedemption = ({ found: { exchange }, facts }: Read): boolean =>
  exchange.outcome === 'accepted' && exchange.step === 'token' && facts.grantType === 'authorization_code';

/** The last refused sign-on of a site, explained, and when its application last got tokens for a code. */
export const readSignOnEvidence = async (db: Queryable, site: SiteRecord) => {
  const exchanges = await readExchanges(db, site);
  const refused = exchanges.find(isSignOnFailure);
  return {
    refusal: refused && { at: refused.found.exchange.last_at, finding: refused.diagnosed.finding },
    redeemedAt: exchanges.find(isRedemption)?.found.exchange.last_at,
  };
};

/** The refused requests of a site before a person was known, which are not in the login log. */
export const countRefusedRequests = async (db: Queryable, siteId: number) => {
  const { total, lastAt } = await sumRefusedRequests(db, siteId);
  return { total, last_at: lastAt?.toISOString() ?? null };
};

type Fix = { siteId: number; exchangeId: number; version: number };

/**
 * Makes the change that an exchange suggests. The finding is made again with the locked site, so that only a change is made that is still
 * offered. The change is audited and reported to the owners like one in the form.
 */
export const applyFix = async (parts: Parts, caller: Caller, { siteId, exchangeId, version }: Fix): Promise<void> => {
  await changeParameters(
    parts,
    caller,
    siteId,
    async (site, tx) => {
      const exchange = (await readExchanges(tx, site)).find(({ found }) => found.exchange.id === exchangeId);
      if (!exchange?.diagnosed.changes) throw new ApiError('fix_gone');
      return exchange.diagnosed.changes;
    },
    version,
  );
};
