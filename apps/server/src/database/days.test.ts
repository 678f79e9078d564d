import { describe, expect, test } from 'vitest';
import { periodOf, splitIntoDays } from './days.ts';

const hour = 3_600_000;

const dayIn = (day: string, zone?: string) => {
  const { start, end } = periodOf(`${day},${day}`, zone) ?? { start: new Date(0), end: new Date(0) };
  return [start.toISOString(), (end.getTime() - start.getTime()) / hour];
};

describe('§2.13 a day of a filter', () => {
  test.each([
    ['2026-11-19', undefined, '2026-11-19T00:00:00.000Z', 24],
    ['2026-11-19', 'Asia/Tokyo', '2026-11-18T15:00:00.000Z', 24],
    ['2026-11-19', 'Asia/Kathmandu', '2026-11-18T18:15:00.000Z', 24],
    ['2026-11-19', 'Pacific/Kiritimati', '2026-11-18T10:00:00.000Z', 24],
    ['2026-11-19', 'Pacific/Pago_Pago', '2026-11-19T11:00:00.000Z', 24],
    ['9999-12-31', 'Pacific/Pago_Pago', '9999-12-31T11:00:00.000Z', 24],
  ])('%s in %s begins at %s and has %d hours', (day, zone, start, hours) => {
    expect(dayIn(day, zone)).toEqual([start, hours]);
  });

  test.each([
    ['summer time begins', '2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z', 23],
    ['summer time ends', '2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z', 25],
    ['the clocks change by half an hour', '2026-04-05', 'Australia/Lord_Howe', '2026-04-04T13:00:00.000Z', 24.5],
    ['there is no midnight', '2026-03-29', 'Asia/Beirut', '2026-03-28T22:00:00.000Z', 23],
    ['midnight comes twice', '2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z', 25],
    ['the country skips the day', '2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z', 0],
  ])('on which %s is complete: %s in %s', (_change, day, zone, start, hours) => {
    expect(dayIn(day, zone)).toEqual([start, hours]);
  });

  test('begins where the day before ends, in every time zone', () => {
    // The weeks in which clocks change somewhere.
    const texts = [
      '2026-03-05',
      '2026-03-26',
      '2026-04-02',
      '2026-04-21',
      '2026-09-03',
      '2026-09-24',
      '2026-10-22',
      '2026-10-29',
    ]
      .flatMap((first) => Array.from({ length: 6 }, (_, index) => Date.parse(first) + index * 24 * hour))
      .map((day) => new Date(day).toISOString().slice(0, 10));
    const wrong = Intl.supportedValuesOf('timeZone').flatMap((zone) => {
      const format = new Intl.DateTimeFormat('sv', { timeZone: zone });
      return texts.filter((text) => {
        const { start, end } = periodOf(`${text},${text}`, zone) ?? { start: new Date(0), end: new Date(0) };
        return format.format(start) !== text || format.format(end.getTime() - 1) !== text;
      });
    });
    expect(wrong).toEqual([]);
  });
});

test.each([
  ['Asia/Tokyo', ['2026-11-17T15:00Z', '2026-11-18T00:00Z', '2026-11-20T00:00Z', '2026-11-20T15:00Z']],
  ['UTC', ['2026-11-18T00:00Z', '2026-11-18T00:00Z', '2026-11-21T00:00Z', '2026-11-21T00:00Z']],
])('the whole UTC days of three days in %s, and the rest before and after them', (zone, moments) => {
  const period = periodOf('2026-11-18,2026-11-20', zone);
  const { before, days, after } = splitIntoDays(period ?? { start: new Date(0), end: new Date(0) });
  const [start, firstDay, lastDay, end] = moments.map((moment) => new Date(moment));
  expect({ before, days, after }).toEqual({
    before: { start, end: firstDay },
    days: { start: firstDay, end: lastDay },
    after: { start: lastDay, end },
  });
});

test('of a range without days, all parts are empty', () => {
  const { before, days, after } = splitIntoDays({ start: new Date('2026-11-20'), end: new Date('2026-11-18') });
  for (const { start, end } of [before, days, after]) expect(end.getTime()).toBeLessThanOrEqual(start.getTime());
});
