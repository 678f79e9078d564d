import { expect, test, vi } from 'vitest';
import { dayOf, lastDays, lastDaysInUtc, rangeText, readRange } from './days.ts';

test('§9 a date range is sent as two dates in YYYY-MM-DD form', () => {
  expect(rangeText({ from: '2026-01-02', to: '2026-02-01' })).toBe('2026-01-02,2026-02-01');
  expect(readRange('2026-01-02,2026-02-01')).toEqual({ from: '2026-01-02', to: '2026-02-01' });
});

test('an incomplete or reversed range is undefined', () => {
  expect(rangeText({ from: '2026-01-02', to: '' })).toBe('');
  expect(rangeText({ from: '2026-01-02', to: '2026-01-01' })).toBe('');
  expect(readRange(undefined)).toEqual({ from: '', to: '' });
});

test("days are in the viewer's time zone and include today", () => {
  expect(dayOf(new Date(2026, 0, 5, 23, 59))).toBe('2026-01-05');
  expect(lastDays(1, new Date(2026, 2, 1))).toEqual({ from: '2026-03-01', to: '2026-03-01' });
  expect(lastDays(30, new Date(2026, 2, 1))).toEqual({ from: '2026-01-31', to: '2026-03-01' });
});

test.each([
  ['UTC', '2026-11-16T10:00Z', 1, '2026-11-16', '2026-11-16'],
  ['America/New_York', '2026-11-17T00:05Z', 1, '2026-11-16', '2026-11-17'],
  ['America/New_York', '2026-11-16T15:00Z', 1, '2026-11-16', '2026-11-16'],
  ['Asia/Tokyo', '2026-11-16T01:00Z', 1, '2026-11-15', '2026-11-16'],
  ['Asia/Tokyo', '2026-11-16T01:00Z', 7, '2026-11-09', '2026-11-16'],
])('in %s at %s the last %i days of the viewer are %s to %s in UTC', (zone, moment, count, from, to) => {
  vi.stubEnv('TZ', zone);
  expect(lastDaysInUtc(count, new Date(moment))).toEqual({ from, to });
  vi.unstubAllEnvs();
});
