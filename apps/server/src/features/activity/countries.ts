import { readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { type CountryResponse, Reader } from 'mmdb-lib';
import { type Config, ConfigError } from '../../config.ts';
import type { Parts } from '../../parts.ts';

/** Opens the operator's country database (MaxMind format). It is read once, at the start, and no service is asked over the network. */
export const openCountries = ({ countryDatabase }: Pick<Config, 'countryDatabase'>): Parts['countries'] => {
  if (countryDatabase === undefined) return { of: () => '' };
  const file = read(countryDatabase);
  try {
    const reader = new Reader<CountryResponse>(file);
    // For an IPv6 address in an IPv4 database, the reader would look up the first 32 bits.
    const knows = (address: string) => reader.metadata.ipVersion === 6 || isIPv4(address);
    return { of: (address) => (knows(address) ? nameOf(reader.get(address)) : '') };
  } catch (cause) {
    throw new ConfigError('COUNTRY_DATABASE: the file is not a MaxMind database (.mmdb).', { cause });
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
