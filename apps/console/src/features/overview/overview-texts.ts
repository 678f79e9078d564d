import type { OverviewPeriod, SignInStatistics } from '@opensocial/contract';
import { clockTime, hourInZone, longDate, shortDate } from '../../patterns/format/format.ts';

export const periodLabels: Readonly<Record<OverviewPeriod, string>> = {
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
};

type Unit = SignInStatistics['unit'];

/** The name of an hour or day on the axis of a chart. */
export const shortName = (start: string, unit: Unit): string => (unit === 'hour' ? clockTime : shortDate)(start);

/** The name of an hour or day in a table. With its time zone, the hour that occurs twice when summer time ends is clear. */
export const longName = (start: string, unit: Unit): string => (unit === 'hour' ? hourInZone : longDate)(start);
