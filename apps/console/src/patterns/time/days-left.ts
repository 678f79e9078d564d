import { countOf, formatDate } from '../format/format.ts';

export const daysUntil = (moment: string): number => Math.ceil((new Date(moment).getTime() - Date.now()) / 86_400_000);

/** How much time a certificate has left, and how urgent that is. */
export const describeEnd = (notAfter: string): { tone: 'good' | 'warn' | 'bad'; text: string } => {
  const days = daysUntil(notAfter);
  if (days <= 0) return { tone: 'bad', text: `Expired on ${formatDate(notAfter)}` };
  const tone = days <= 7 ? 'bad' : days <= 60 ? 'warn' : 'good';
  return { tone, text: `${countOf(days, 'day', 'days')} left` };
};
