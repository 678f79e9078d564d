import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  anyOf,
  clockTime,
  countOf,
  exactTime,
  formatDate,
  formatDay,
  formatDecimal,
  formatNumber,
  formatShare,
  fullTime,
  listOf,
  recentTime,
  shortDate,
  shortTime,
} from './format.ts';

const use = (language: string) => vi.spyOn(navigator, 'language', 'get').mockReturnValue(language);
afterEach(() => vi.restoreAllMocks());

/** Some locales have special spaces between digits and before 'PM'. */
const plain = (text: string): string => text.replaceAll(/\s/g, ' ');
const moment = new Date(2026, 10, 6, 15, 5).toISOString();

describe('§4 numbers', () => {
  test.each([
    ['en-US', '1,234,567', '1,234.5', '12%'],
    ['de-DE', '1.234.567', '1.234,5', '12 %'],
    ['hi-IN', '12,34,567', '1,234.5', '12%'],
    ['fr-FR', '1 234 567', '1 234,5', '12 %'],
  ])('are grouped as in %s', (language, whole, decimal, share) => {
    use(language);
    expect([formatNumber(1_234_567), formatDecimal(1_234.5), formatShare(12, 100)].map(plain)).toEqual([
      whole,
      decimal,
      share,
    ]);
  });

  test('have their noun', () => {
    expect([countOf(0, 'day', 'days'), countOf(1, 'day', 'days'), countOf(1_000, 'day', 'days')]).toEqual([
      '0 days',
      '1 day',
      '1,000 days',
    ]);
  });
});

describe('§4 dates and times', () => {
  test.each([
    ['en-US', 'Nov 6, 2026', 'Nov 6', '3:05 PM', 'Nov 6, 3:05 PM', 'Fri, Nov 6, 2026, 3:05 PM'],
    ['en-GB', '6 Nov 2026', '6 Nov', '15:05', '6 Nov, 15:05', 'Fri, 6 Nov 2026, 15:05'],
    ['de-DE', '6. Nov. 2026', '6. Nov.', '15:05', '6. Nov., 15:05', 'Fr., 6. Nov. 2026, 15:05'],
    ['ja-JP', '2026年11月6日', '11月6日', '15:05', '11月6日 15:05', '2026年11月6日(金) 15:05'],
  ])('are written as in %s', (language, ...texts) => {
    use(language);
    expect([formatDate, shortDate, clockTime, shortTime, fullTime].map((format) => plain(format(moment)))).toEqual(
      texts,
    );
  });

  test('a day in UTC is the same day in every time zone', () => {
    vi.stubEnv('TZ', 'Pacific/Pago_Pago');
    expect(formatDay('2026-11-06')).toBe('Nov 6, 2026');
    vi.unstubAllEnvs();
  });

  test('a recent time has no day today, and no year this year', () => {
    const now = new Date(2026, 10, 6, 18, 0);
    const at = (...parts: [number, number, number, number, number]) =>
      plain(recentTime(new Date(...parts).toISOString(), now));
    expect(at(2026, 10, 6, 0, 5)).toBe('12:05 AM');
    expect(at(2026, 10, 5, 23, 59)).toBe('Yesterday 11:59 PM');
    expect(at(2026, 10, 4, 9, 30)).toBe('Nov 4, 9:30 AM');
    expect(at(2025, 11, 31, 9, 30)).toBe('Dec 31, 2025, 9:30 AM');
  });

  test('an exact time has seconds and the time zone', () => {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    expect(plain(exactTime(moment))).toMatch(/^Fri, Nov 6, 2026, 3:05:00 PM GMT/);
    expect(exactTime(moment)).toContain(`(${timeZone})`);
  });
});

test('§4 a language that is not a valid locale does not break the screen', () => {
  for (const language of ['', 'en-US@posix', 'x y']) {
    use(language);
    expect(formatNumber(1_234)).toBe('1,234');
  }
});

test('§4 lists of words are English, like the sentences', () => {
  use('de-DE');
  expect([listOf(['A', 'B', 'C']), anyOf(['A', 'B'])]).toEqual(['A, B, and C', 'A or B']);
});
