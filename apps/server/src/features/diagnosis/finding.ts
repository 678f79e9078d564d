import type { Finding } from '@opensocial/contract';
import { SsoUrl } from '@opensocial/contract';
import type { sites } from '../../database/schema.ts';
import { cutMark } from '../../identity/redaction.ts';
import type { ExchangeDraft, ExchangeFacts } from '../../identity/site-exchanges.ts';

export type SiteRecord = typeof sites.$inferSelect;

/** The person of an exchange at the site, as it is now. */
type PersonAtSite = { isInGroup: boolean; isBlocked: boolean };

/** An exchange with everything that explains it. */
export type Explained = {
  site: SiteRecord;
  facts: ExchangeFacts;
  outcome: ExchangeDraft['outcome'];
  isVerified: boolean;
  /** Undefined if nobody is known, or the person is not a member any more. */
  person: PersonAtSite | undefined;
  /** Whether a later exchange succeeded: of the same person if one is known, otherwise of anybody. */
  hasSucceededSince: boolean;
  /** Whether a later request was on time. */
  wasOnTimeSince: boolean;
  /** The last characters of the client's secrets. */
  secretHints: readonly string[];
};

/** The columns of the site that a fix changes. */
export type Changes = Partial<Pick<SiteRecord, 'acs' | 'further_acs' | 'oidc'>>;

export type Explanation = Pick<Finding, 'sentence' | 'compared'> &
  Partial<Pick<Finding, 'code' | 'advice' | 'place'>> & {
    isCurrent: boolean;
    fix?: (NonNullable<Finding['fix']> & { changes: Changes }) | undefined;
  };

export type Explain = (exchange: Explained) => Explanation;

/** For causes inside the application, which only a success disproves. */
export const untilSuccess = ({ hasSucceededSince }: Explained): boolean => !hasSucceededSince;

/** Whether a received address may be registered as it is: complete, and by the rules of the form. */
export const isUsableAddress = (address: string): boolean =>
  !address.includes(cutMark) && SsoUrl.safeParse(address).success;

const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const timeFormat = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'UTC' });

export const toDay = (date: Date): string => dateFormat.format(date);
export const toTime = (text: string | undefined): string =>
  text === undefined ? '' : `${dateFormat.format(new Date(text))}, ${timeFormat.format(new Date(text))} UTC`;

/** The last part of a SAML identifier, which people recognise. */
export const shortName = (identifier: string): string => /[^:/#]+$/.exec(identifier)?.[0] ?? identifier;
