import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');

/** The settings in the table of docs/configuration.md. */
const settings = read('docs/configuration.md')
  .split('\n')
  .flatMap((line) => (line.startsWith('| `') ? [...(line.split('|')[1] ?? '').matchAll(/`([A-Z_]+)`/g)] : []))
  .map(([, name]) => name);

type Compose = { services: { sso: { environment: Record<string, string> } } };
type Values = { config: Record<string, string>; secret: Record<string, string> };

const namesIn = {
  'deploy/compose.yml': (text: string) => Object.keys((parse(text) as Compose).services.sso.environment),
  'deploy/helm/opensocial-sso/values.yaml': (text: string) => {
    const { config, secret } = parse(text) as Values;
    return [...Object.keys(config), ...Object.keys(secret)];
  },
  'deploy/helm/opensocial-sso/templates/secret.yaml': (text: string) =>
    [...text.matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => name),
  'deploy/helm/opensocial-sso/templates/configmap.yaml': (text: string) =>
    [...text.matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => name),
  'deploy/systemd/opensocial-sso.service': (text: string) =>
    [...text.matchAll(/\b([A-Z]+_[A-Z_]+)=/g)].map(([, name]) => name).filter((name) => name !== 'NODE_ENV'),
  Dockerfile: (text: string) => [...text.matchAll(/ ((?:HOST|PORT|DATA_DIR))=/g)].map(([, name]) => name),
};

describe('the files for deployments', () => {
  test.for(Object.entries(namesIn))('%s names settings that exist', ([path, find]) => {
    const names = find(read(path));
    expect(names.length).toBeGreaterThan(0);
    expect(settings).toEqual(expect.arrayContaining(names));
  });

  test('the chart has the version of the program', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(parse(read('deploy/helm/opensocial-sso/Chart.yaml'))).toMatchObject({ appVersion: version });
  });

  test('programs that are started exist', () => {
    const programs = [
      'Dockerfile',
      'deploy/systemd/opensocial-sso.service',
      'deploy/helm/opensocial-sso/templates/migration.yaml',
    ]
      .flatMap((path) => [...read(path).matchAll(/apps\/server\/dist\/(?:main|cli\/\w+)\.js/g)])
      .map(([program]) => program);
    expect(programs).toHaveLength(3);
    for (const program of programs) expect(read(program).length).toBeGreaterThan(0);
  });
});
