import { afterEach, describe, expect, test, vi } from 'vitest';
import { askForDays, dayOf, isDays, nameOfDays, rangeText, readDays, withQuery } from './days.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

test('§9 a date range is sent as two dates in YYYY-MM-DD form', () => {
  expect(rangeText({ from: '2026-01-02', to: '2026-02-01' })).toBe('2026-01-02,2026-02-01');
  expect(readDays('2026-01-02,2026-02-01')).toEqual({ from: '2026-01-02', to: '2026-02-01' });
});

test('an incomplete or reversed range is not sent', () => {
  expect(rangeText({ from: '2026-01-02', to: '' })).toBe('');
  expect(rangeText({ from: '2026-01-02', to: '2026-01-01' })).toBe('');
  expect(readDays('')).toEqual({ from: '', to: '' });
  expect(askForDays('2026-01-02,2026-01-01').time).toBeUndefined();
});

describe('§2.13 activity log: quick choices of days', () => {
  test.each([
    ['today', 'Today', '2026-03-01', '2026-03-01'],
    ['yesterday', 'Yesterday', '2026-02-28', '2026-02-28'],
    ['last-7-days', 'Last 7 days', '2026-02-23', '2026-03-01'],
    ['last-30-days', 'Last 30 days', '2026-01-31', '2026-03-01'],
    ['last-365-days', 'Last 365 days', '2025-03-02', '2026-03-01'],
  ])('%s is named %s and ends today, except for Yesterday', (choice, name, from, to) => {
    expect(readDays(choice, new Date(2026, 2, 1, 23, 59))).toEqual({ from, to });
    expect(nameOfDays(choice)).toBe(name);
    expect(isDays(choice)).toBe(true);
  });

  test.each([
    ['UTC', '2026-11-16T23:30Z', '2026-11-15'],
    ['America/New_York', '2026-11-17T00:05Z', '2026-11-15'],
    ['Asia/Tokyo', '2026-11-16T16:00Z', '2026-11-16'],
    ['Pacific/Kiritimati', '2026-11-16T10:00Z', '2026-11-16'],
    ['Pacific/Pago_Pago', '2026-11-16T10:59Z', '2026-11-14'],
    // The day before had 23 hours, and then 25.
    ['Europe/Berlin', '2026-03-29T22:30Z', '2026-03-29'],
    ['Europe/Berlin', '2026-10-25T23:30Z', '2026-10-25'],
    // There is no midnight on this day.
    ['Asia/Beirut', '2026-03-29T10:00Z', '2026-03-28'],
  ])('yesterday in %s at %s is %s', (zone, moment, day) => {
    vi.stubEnv('TZ', zone);
    expect(readDays('yesterday', new Date(moment))).toEqual({ from: day, to: day });
  });

  test('keep their meaning: a call asks for the days at that moment, in the time zone of the viewer', () => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    vi.useFakeTimers({ now: new Date('2026-11-16T14:59:59Z'), toFake: ['Date'] });
    expect(askForDays('yesterday')).toEqual({ time: '2026-11-15,2026-11-15', zone: 'Asia/Tokyo' });
    vi.setSystemTime(new Date('2026-11-16T15:00:00Z'));
    expect(askForDays('yesterday')).toEqual({ time: '2026-11-16,2026-11-16', zone: 'Asia/Tokyo' });
  });

  test('a text of an address that is neither a choice nor a range is ignored', () => {
    for (const text of ['tomorrow', 'last-8-days', '2026-01-02', '2026-13-01,2026-13-02', '', 'Today'])
      expect([isDays(text), askForDays(text).time]).toEqual([false, undefined]);
    expect(askForDays(undefined)).toEqual({ time: undefined, zone: undefined });
  });
});

test('the address of an export has the time zone', () => {
  expect(withQuery('/csv', { zone: 'America/Argentina/Buenos_Aires' })).toBe(
    '/csv?zone=America%2FArgentina%2FBuenos_Aires',
  );
  expect(withQuery('/csv', { zone: undefined })).toBe('/csv');
});

test("days are in the viewer's time zone", () => {
  expect(dayOf(new Date(2026, 0, 5, 23, 59))).toBe('2026-01-05');
});
