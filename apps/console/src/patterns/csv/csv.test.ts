import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCsv, writeCsv } from './csv.ts';

test('written values are parsed again unchanged', () => {
  const field = fc
    .string({ unit: 'grapheme' })
    .filter((text) => text.trim() !== '' && !/^[=+\-@\t\r'\uFEFF]/.test(text));
  fc.assert(
    fc.property(fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 }), (rows) => {
      const quoted = rows.map((row) => row.map((value) => value.replaceAll(/[\r\n]/g, ' ')));
      expect(parseCsv(writeCsv([['a', 'b'], ...quoted])).slice(1)).toEqual(quoted);
    }),
  );
});

test('reads the file of a spreadsheet: byte order mark, semicolons, quotes, line breaks in cells, empty lines', () => {
  expect(parseCsv('\uFEFFemail;name\r\n"a@b.org";"Ana ""A"" Moreno"\r\n\r\nc@d.org;"two\nlines"')).toEqual([
    ['email', 'name'],
    ['a@b.org', 'Ana "A" Moreno'],
    ['c@d.org', 'two\nlines'],
  ]);
});

test.each(['=1+1', '+1', '-1', '@sum', '\t=1'])(
  'a cell that a spreadsheet would evaluate becomes text: %j',
  (value) => {
    expect(writeCsv([[value]])).toContain(`'${value}`);
  },
);
