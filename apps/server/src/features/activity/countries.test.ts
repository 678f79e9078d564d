import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../config.ts';
import { writeCountryDatabase } from '../../testing/services/country-database.ts';
import { openCountries } from './countries.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opensocial-countries-'));
});
afterAll(() => rm(folder, { recursive: true }));

const open = (path: string) => openCountries(readConfig({ COUNTRY_DATABASE: path }));

test('a country database returns the country of an address, or nothing if it is unknown', async () => {
  const path = join(folder, 'countries.mmdb');
  await writeCountryDatabase(path);
  const countries = open(path);
  expect(countries.of('10.0.0.1')).toBe('Norway');
  expect(countries.of('200.0.0.1')).toBe('');
  expect(countries.of('2001:db8::1')).toBe('');
});

test('without one, no address has a country', () => {
  expect(openCountries(readConfig({})).of('10.0.0.1')).toBe('');
});

test('a missing file and an invalid one stop the start with a message that names the setting', async () => {
  const path = join(folder, 'notes.txt');
  await writeFile(path, 'No database');
  for (const wrong of [join(folder, 'missing.mmdb'), folder, path]) {
    expect(() => open(wrong)).toThrow(ConfigError);
    expect(() => open(wrong)).toThrow(/^COUNTRY_DATABASE: [^/]*$/);
  }
});
