import type { RecentSignIns, SiteRow } from '@opensocial/contract';
import { daysUntil } from '../../../patterns/time/days-left.ts';

export type SiteProblem = { tone: 'bad' | 'warn' | 'quiet'; text: string };

/** Owners get their first mail about it at the same time. */
const reminderDays = 60;
const urgentDays = 7;

const describeCertificate = (ends: string | null): SiteProblem[] => {
  if (ends === null) return [];
  const days = daysUntil(ends);
  if (days <= 0) return [{ tone: 'bad', text: 'certificate expired' }];
  if (days > reminderDays) return [];
  return [
    {
      tone: days <= urgentDays ? 'bad' : 'warn',
      text: `certificate expires in ${days} ${days === 1 ? 'day' : 'days'}`,
    },
  ];
};

/** A few failures are normal, because people mistype their password. */
const isManyFailures = ({ total, failed }: RecentSignIns): boolean => failed >= 5 && failed >= total / 4;

const describeSignIns = ({ total, failed }: RecentSignIns): SiteProblem | undefined =>
  failed === 0
    ? undefined
    : {
        tone: isManyFailures({ total, failed }) ? 'warn' : 'quiet',
        text: `${failed} of ${total} ${total === 1 ? 'sign-in' : 'sign-ins'} failed`,
      };

const metadataProblems = { '': [], changed: ['metadata changed'], failed: ['metadata unreadable'] } as const;

const urgency = ['bad', 'warn', 'quiet'];

/** What is wrong with a site, the most urgent first. */
export const siteProblemsOf = (
  site: Pick<SiteRow, 'certificate_ends' | 'unreachable_since' | 'metadata_state' | 'recent_sign_ins'>,
): SiteProblem[] => {
  const signIns = describeSignIns(site.recent_sign_ins);
  const problems: SiteProblem[] = [
    ...(site.unreachable_since === null ? [] : [{ tone: 'bad' as const, text: 'not reachable' }]),
    ...describeCertificate(site.certificate_ends),
    ...metadataProblems[site.metadata_state].map((text) => ({ tone: 'warn' as const, text })),
    ...(signIns ? [signIns] : []),
  ];
  return problems.toSorted((one, other) => urgency.indexOf(one.tone) - urgency.indexOf(other.tone));
};
