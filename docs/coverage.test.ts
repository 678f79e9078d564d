import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const coverage = readFileSync(join(root, 'docs/coverage.md'), 'utf8');
const rowsOf = (heading: string): string[][] =>
  (coverage.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) => line.split('|').map((cell) => cell.trim()));

describe('docs/coverage.md', () => {
  test('names a test for every section and message', () => {
    const sections = rowsOf('Sections');
    const messages = rowsOf('Messages');
    expect(sections.length).toBeGreaterThan(40);
    expect(messages.length).toBeGreaterThan(60);
    expect(sections.filter(([, , count]) => Number(count) === 0)).toEqual([]);
    expect(messages.filter(([, , files]) => files === '')).toEqual([]);
  });

  test('names only files that exist; npm run coverage brings it up to date', () => {
    const files = [...coverage.matchAll(/`([^`\s]+\.(?:test|spec)\.tsx?)`/g)].map(([, file = '']) => file);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});
