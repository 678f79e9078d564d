import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A file, an import that it may not have, and one that it may. oxlint ignores patterns that it cannot read, so each rule is tried. */
const cases: [file: string, forbidden: string, allowed: string][] = [
  ['packages/contract/src/a.ts', '@opensocial/saml', 'zod'],
  ['packages/saml/src/xml/a.ts', '@opensocial/contract', '../errors.ts'],
  ['packages/look/src/a.ts', '@opensocial/contract', './mark.ts'],
  ['apps/signin/src/pages/a.ts', '@opensocial/contract', '../parts/page.tsx'],
  ...['http', 'database', 'mail', 'jobs', 'storage', 'secrets', 'markup', 'pictures'].map(
    (folder): [string, string, string] => [
      `apps/server/src/${folder}/a.ts`,
      '../features/sites/sites.service.ts',
      '../places.ts',
    ],
  ),
  ['apps/server/src/database/embedded/a.ts', '../../features/sites/sites.service.ts', '../connect.ts'],
  ['apps/server/src/identity/a.ts', '../http/bind.ts', '../database/connect.ts'],
  ['apps/server/src/features/sites/a.ts', '../users/users.queries.ts', '../users/users.service.ts'],
  ['apps/server/src/features/sites/a/b.ts', '../../users/users.queries.ts', '../../users/users.service.ts'],
  ['apps/console/src/a.ts', '@opensocial/server', '@opensocial/contract'],
  ['apps/console/src/api/a.ts', '../patterns/facts/facts.tsx', './caller.ts'],
  ['apps/console/src/patterns/facts/a.ts', '../../features/sites/sites.api.ts', '../time/time.ts'],
  ['apps/console/src/features/sites/a.ts', '../groups/groups.api.ts', './sites.api.ts'],
  ['apps/console/src/features/sites/a.ts', '../../features/groups/groups.api.ts', '../../patterns/facts/facts.tsx'],
  ['apps/console/src/features/sites/a.ts', './../groups/groups.api.ts', '../../api/caller.ts'],
  ['apps/console/src/features/sites/a/b.ts', '../../groups/groups.api.ts', '../sites.api.ts'],
];

const folder = mkdtempSync(join(tmpdir(), 'opensocial-imports-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fileOf = (file: string, number: number, kind: string): string =>
  file.replace(/a\.ts$|b\.ts$/, `${kind}-${number}.ts`);

let reported: string[];
beforeAll(() => {
  copyFileSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  cases.forEach(([file, forbidden, allowed], number) => {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, fileOf(file, number, 'forbidden')), `import '${forbidden}';\n`);
    writeFileSync(join(folder, fileOf(file, number, 'allowed')), `import '${allowed}';\n`);
  });
  reported = lint();
});

/** The files in which oxlint finds a forbidden import. */
const lint = (): string[] => {
  try {
    execFileSync(join(root, 'node_modules/.bin/oxlint'), ['--format=json'], { cwd: folder, encoding: 'utf8' });
    return [];
  } catch (error) {
    const { diagnostics } = JSON.parse((error as { stdout: string }).stdout) as {
      diagnostics: { code: string; filename: string }[];
    };
    return diagnostics.filter(({ code }) => code.includes('no-restricted-imports')).map(({ filename }) => filename);
  }
};

test.for(cases.map((each, number) => [...each, number] as const))(
  '%s may not import %s, and may import %s',
  ([file, , , number]) => {
    expect(reported).toContain(fileOf(file, number, 'forbidden'));
    expect(reported).not.toContain(fileOf(file, number, 'allowed'));
  },
);
