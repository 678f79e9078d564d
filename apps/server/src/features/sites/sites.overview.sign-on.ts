import type { Finding, SiteOverview } from '@opensocial/contract';

type LogLine = { at: Date; reason: string };

/** What is known about the sign-ins at a site. */
type Evidence = {
  protocol: SiteOverview['protocol'];
  /** The last lines of the login log. */
  success: LogLine | undefined;
  failure: LogLine | undefined;
  /** The last exchange that was refused. */
  refusal: { at: Date; finding: Finding } | undefined;
  /** When a client last got tokens for a code. */
  redeemedAt: Date | undefined;
};

type SignOn = Pick<SiteOverview, 'sign_on' | 'last_success' | 'last_failure'>;

const minute = 60_000;

/** Redemptions are sampled: one per minute is recorded, and it is written shortly after. */
const samplingTolerance = 1.5 * minute;

/** Exchanges are kept for seven days. */
const keptMilliseconds = 7 * 24 * 60 * minute;

/** A refused person is in the login log and in the exchanges, which are not written at the very same time. */
const sameMoment = 2_000;

const later = (...dates: (Date | undefined)[]): Date | undefined =>
  dates.reduce((one, other) => (one === undefined || (other !== undefined && other > one) ? other : one), undefined);

/**
 * A line of the login log completes a sign-in with SAML. With OpenID Connect, it says that the application got a code, and the sign-in is
 * complete when the application has redeemed it. A failure after the last redemption makes the recorder record the next one, so that no
 * sampling is to be expected then.
 */
const completionOf = (
  { protocol, success, redeemedAt, refusal }: Evidence,
  now: number,
): { completed: Date | undefined; pending: Date | undefined } => {
  if (protocol === 'saml' || !success) return { completed: later(success?.at, redeemedAt), pending: undefined };
  const isForgotten = now - success.at.getTime() > keptMilliseconds;
  const isRedeemed =
    redeemedAt !== undefined &&
    (!refusal || redeemedAt > refusal.at) &&
    success.at.getTime() <= redeemedAt.getTime() + samplingTolerance;
  return isForgotten || isRedeemed
    ? { completed: later(success.at, redeemedAt), pending: undefined }
    : { completed: redeemedAt, pending: success.at };
};

const lastFailureOf = ({ failure, refusal }: Evidence): SignOn['last_failure'] => {
  if (refusal && (!failure || failure.at.getTime() - refusal.at.getTime() < sameMoment))
    return { at: refusal.at.toISOString(), reason: '', finding: refusal.finding };
  return failure ? { at: failure.at.toISOString(), reason: failure.reason, finding: null } : null;
};

/** How the newest sign-in went. A mistyped password says nothing about the connection, so it does not count as a failed sign-on. */
export const resolveSignOn = (evidence: Evidence, now = Date.now()): SignOn => {
  const { completed, pending } = completionOf(evidence, now);
  const events = [
    { state: 'works', at: completed },
    { state: 'unredeemed', at: pending },
    { state: 'failed', at: evidence.refusal?.at },
  ] as const;
  const newest = later(...events.map(({ at }) => at));
  return {
    sign_on: events.find(({ at }) => at !== undefined && at === newest)?.state ?? 'none',
    last_success: completed ? { at: completed.toISOString() } : null,
    last_failure: lastFailureOf(evidence),
  };
};
