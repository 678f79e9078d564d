import { expect, test } from 'vitest';
import { logTime } from './log-time.ts';

test.each([
  [new Date(2026, 10, 6, 0, 5), 'Fri, 06 Nov 2026 12:05 am'],
  [new Date(2026, 10, 16, 9, 30), 'Mon, 16 Nov 2026 9:30 am'],
  [new Date(2026, 0, 31, 12, 0), 'Sat, 31 Jan 2026 12:00 pm'],
  [new Date(2026, 11, 1, 23, 59), 'Tue, 01 Dec 2026 11:59 pm'],
])("§9 log time is shown as 'ddd, DD MMM YYYY h:mm a': %s", (moment, text) => {
  expect(logTime(moment)).toBe(text);
  expect(logTime(moment.toISOString())).toBe(text);
});
