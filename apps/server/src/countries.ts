import { readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { type CountryResponse, Reader } from 'mmdb-lib';
import { type Config, ConfigError } from './config.ts';

/** Which country an address is in, as far as the operator's own file knows: nobody else is asked. */
export type Countries = { of: (address: string) => string };

/** Reads the file once, at the start: it is looked into for every line that somebody opens. */
export const openCountries = ({ countryDatabase }: Pick<Config, 'countryDatabase'>): Countries => {
  if (countryDatabase === undefined) return { of: () => '' };
  const file = read(countryDatabase);
  try {
    const reader = new Reader<CountryResponse>(file);
    // Asked for a longer address than it knows, the reader would answer for its beginning.
    const knows = (address: string) => reader.metadata.ipVersion === 6 || isIPv4(address);
    return { of: (address) => (knows(address) ? nameOf(reader.get(address)) : '') };
  } catch (cause) {
    throw new ConfigError('COUNTRY_DATABASE: the file is no MaxMind database (.mmdb).', { cause });
  }
};

const read = (path: string): Buffer => {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new ConfigError('COUNTRY_DATABASE: there is no file at that path that this user can read.', { cause });
  }
};

const nameOf = (found: CountryResponse | null): string => found?.country?.names.en ?? found?.country?.iso_code ?? '';
