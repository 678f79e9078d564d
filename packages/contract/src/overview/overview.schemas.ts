import { z } from 'zod';

/** A period up to now: the last 24 hours by hour, or some days by day. The first hour or day is complete, the last one goes on. */
export const OverviewPeriod = z.enum(['24h', '7d', '30d', '90d']);
export type OverviewPeriod = z.infer<typeof OverviewPeriod>;

const Count = z.int().min(0);

/** The sign-ins of a network in a period, in the time zone of the viewer. */
export const SignInStatistics = z.object({
  unit: z.enum(['hour', 'day']),
  /** One for each hour or day, in order, also if nobody signed in. A day of a change to or from summer time has 23 or 25 hours. */
  buckets: z.array(z.object({ start: z.iso.datetime(), succeeded: Count, failed: Count })),
  /** How often each reason occurred, the most frequent first. A reason of a social login is the name of the provider. */
  failures: z.array(z.object({ reason: z.string(), lines: Count })),
  /** Whether all lines are counted. After an update to the version that counts them, older lines are counted in the background. */
  is_complete: z.boolean(),
});
export type SignInStatistics = z.infer<typeof SignInStatistics>;

const Account = z.object({ id: z.int(), fullname: z.string(), email: z.string() });

/**
 * The second factors of the accounts that this network alone administers, at a time. Accounts that belong to other networks too are left
 * out, because an owner may not see their second factors.
 */
const FactorAdoption = z.object({
  people: Count,
  with_factor: Count,
  with_passkey: Count,
  counted_at: z.iso.datetime(),
});

/** Accounts that will be disabled because nobody uses them. The earliest are listed. */
const UnusedAccounts = z.object({
  /** Within how many days. */
  days: Count,
  total: Count,
  accounts: z.array(Account.extend({ disabled_at: z.iso.datetime() })),
});

/** An account with many failed attempts, of which `limit` lock it. */
const AttackedAccount = Account.extend({
  failures: Count,
  limit: Count,
  /** Until when it is locked; null if it is not. */
  locked_until: z.iso.datetime().nullable(),
});

const UsedSite = z.object({ id: z.int(), site_name: z.string(), domain: z.string(), succeeded: Count, failed: Count });
const UnusedSite = z.object({
  id: z.int(),
  site_name: z.string(),
  domain: z.string(),
  created_at: z.iso.datetime(),
});

const EndingCertificate = z.object({
  /** The site; null for a signing key of the network. */
  site: z.object({ id: z.int(), site_name: z.string(), domain: z.string() }).nullable(),
  use: z.enum(['identity_provider', 'signing', 'encryption']),
  not_after: z.iso.datetime(),
});

/** The mails that are not delivered yet. */
const MailQueue = z.object({
  waiting: Count,
  /** How many of them have failed at least once and are tried again. */
  retried: Count,
  /** How many are not tried again. */
  given_up: Count,
  /** Since when the first of them waits. */
  oldest_at: z.iso.datetime().nullable(),
});

/** The state of a network for its owners. */
export const Overview = z.object({
  members: Count,
  /** Members who are not confirmed, which includes invitations. */
  pending: Count,
  /** Null until the members of a large network are counted for the first time. */
  adoption: FactorAdoption.nullable(),
  /** Null if the network does not disable unused accounts. */
  unused: UnusedAccounts.nullable(),
  attacked: z.array(AttackedAccount),
  sites: z.object({
    total: Count,
    /** By the number of successful sign-ins in the log. */
    most_used: z.array(UsedSite),
    never_used: z.object({ total: Count, sites: z.array(UnusedSite) }),
    /** The first day of the log; null if it is empty. */
    since: z.iso.date().nullable(),
  }),
  certificates: z.object({ total: Count, ending: z.array(EndingCertificate) }),
  mail: z.object({
    delivery: z.enum(['smtp', 'outbox']),
    /** The queue of the whole installation, for owners of the main network; null for others. */
    queue: MailQueue.nullable(),
  }),
});
export type Overview = z.infer<typeof Overview>;
