import { expect, test } from 'vitest';
import { differencesOf } from './differences.ts';

test('compares the fields of both sides; different fields come first and are marked', () => {
  expect(
    differencesOf({ name: 'A', note: 'same', gone: 1, link: null }, { name: 'B', note: 'same', list: ['x'], link: '' }),
  ).toEqual([
    { field: 'name', before: 'A', after: 'B', differs: true },
    { field: 'gone', before: '1', after: '', differs: true },
    { field: 'list', before: '', after: '[\n  "x"\n]', differs: true },
    { field: 'note', before: 'same', after: 'same', differs: false },
  ]);
});

test('a value that is not an object is one field; a missing value is empty', () => {
  expect(differencesOf(null, undefined)).toEqual([]);
  expect(differencesOf('before', ['after'])).toMatchObject([{ field: 'value', before: 'before' }]);
});

test('an id is shown with its name', () => {
  expect(differencesOf(null, { group_id: 12, user_id: 4 }, { group_id: 'Physics' })).toMatchObject([
    { field: 'group_id', before: '', after: 'Physics (12)' },
    { field: 'user_id', after: '4' },
  ]);
});
