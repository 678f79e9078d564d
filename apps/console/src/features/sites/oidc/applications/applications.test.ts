import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { oidcClient } from '../../../../testing/builders.ts';
import {
  apacheText,
  composeText,
  iniText,
  shellText,
  singleQuoted,
  tomlText,
  xmlText,
  yamlText,
} from '../../recipes/quoting.ts';
import { type Application, baseOf, type ClientValues, newOwnSecret } from './application.ts';
import { applications } from './applications.ts';

const { domain, client_id, endpoints } = oidcClient();
const base = `https://${domain}`;
const values: ClientValues = { base, client_id, endpoints, secret: 'c2VjcmV0-_secret', ownSecret: newOwnSecret() };

const textsOf = ({ configure }: Application, given: ClientValues): string[] =>
  configure(given).flatMap((part) => ('text' in part ? [part.text] : part.fields.map(([, value]) => value)));

const applicationNamed = (id: string): Application => {
  const found = applications.find((application) => application.id === id);
  if (!found) throw new Error(`There is no application ${id}.`);
  return found;
};

/** The words of a command as the shell reads them. */
const wordsOf = (command: string): string[] =>
  execFileSync('bash', ['-c', `show() { printf '%s\\0' "$@"; }; show ${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

describe('§2.7 the configuration of an application', () => {
  test.for(applications.map((application) => [application.name, application] as const))(
    '%s has the client, where to find the provider, and the secret if it uses one',
    ([, application]) => {
      const text = textsOf(application, values).join('\n');
      expect(text).toContain(client_id);
      expect(text).toContain(endpoints.issuer);
      expect(text.includes(values.secret)).toBe(application.authentication === 'secret');
      expect(text).not.toMatch(/undefined|\[object/);
      const addresses = application.redirectUris(base);
      expect(addresses.length).toBeGreaterThan(0);
      for (const address of addresses) expect(address).toMatch(/^https:\/\/charts\.northlab\.org|^http:\/\/localhost:/);
    },
  );

  test.for(applications.map((application) => [application.name, application] as const))(
    '%s writes every value as text, whatever it contains',
    ([, application]) => {
      const attack = 'x\n[evil]\rkey = 1\u2028';
      const hostile = {
        base: `https://a.org${attack}`,
        client_id: `id${attack}`,
        secret: `secret${attack}`,
        ownSecret: `own${attack}`,
        endpoints: Object.fromEntries(
          Object.entries(endpoints).map(([name, url]) => [name, `${url}${attack}`]),
        ) as typeof endpoints,
      };
      const lines = (given: ClientValues) =>
        application
          .configure(given)
          .map((part) => ('text' in part ? part.text.split('\n').length : part.fields.length));
      expect(lines(hostile)).toEqual(lines(values));
      const files = application.configure(hostile).flatMap((part) => ('text' in part ? [part.text] : []));
      expect(files.join('\n')).not.toMatch(/^\[evil\]|[\r\u2028]/m);
    },
  );

  test('of Grafana sends people to its own address, with PKCE and roles of groups', () => {
    const [text = ''] = textsOf(applicationNamed('grafana'), values);
    const lines = text.split('\n');
    expect(lines).toContain('[auth.generic_oauth]');
    expect(lines).toContain(`root_url = ${base}/`);
    expect(lines).toContain(`client_id = ${client_id}`);
    expect(lines).toContain('client_secret = c2VjcmV0-_secret');
    expect(lines).toContain(`auth_url = ${endpoints.authorization}`);
    expect(lines).toContain('scopes = openid profile email groups');
    expect(lines).toContain('use_pkce = true');
    expect(applicationNamed('grafana').redirectUris(base)).toEqual([`${base}/login/generic_oauth`]);
  });

  test.for(['nextcloud', 'gitea', 'argo-cd', 'vault', 'kubernetes', 'proxmox'])(
    'the commands of %s are words of a shell, also with hostile values',
    (id) => {
      const given = { ...values, client_id: '$(touch evil) \'`\\"; rm', secret: '-_!$HOME #x' };
      const commands = applicationNamed(id)
        .configure(given)
        .flatMap((part) => ('text' in part && /shell|rights/i.test(part.title) ? [part.text] : []));
      const words = commands.flatMap((text) =>
        text
          .replaceAll('\\\n', ' ')
          .split('\n')
          .filter(Boolean)
          .flatMap((command) => wordsOf(command)),
      );
      const isInWords = (value: string) =>
        words.some((word) => word.endsWith(value) || word.includes(JSON.stringify(value)));
      expect(isInWords(id === 'argo-cd' ? given.secret : given.client_id)).toBe(true);
      expect(words).not.toContain('rm');
    },
  );

  test.for([
    ['https://lab.example.org', '<Location "/">'],
    ['https://lab.example.org/reports', '<Location "/reports">'],
  ])('of Apache at %s protects its own path', ([address = '', location]) => {
    expect(textsOf(applicationNamed('apache'), { ...values, base: address })[0]?.split('\n')).toContain(location);
  });

  test.for(['apache', 'oauth2-proxy'])(
    'of %s has a random secret of its own, so that nothing has to be replaced',
    (id) => {
      const text = textsOf(applicationNamed(id), values).join('\n');
      expect(text).toContain(`"${values.ownSecret}"`);
      expect(text).not.toMatch(/<[a-z ]*(?:secret|passphrase)>/);
    },
  );

  test('a secret of its own has 32 bytes, and is another one each time', () => {
    const secret = newOwnSecret();
    expect(secret).toMatch(/^[\w-]{43}=$/);
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(newOwnSecret()).not.toBe(secret);
  });

  test('of Proxmox has its port, unless the site has one', () => {
    const { redirectUris } = applicationNamed('proxmox');
    expect(redirectUris('https://pve.example.org')).toEqual(['https://pve.example.org:8006']);
    expect(redirectUris('https://pve.example.org:8443')).toEqual(['https://pve.example.org:8443']);
  });

  test.for([
    ['grafana', 'https://lab.example.org/grafana/login/generic_oauth', 'https://lab.example.org/grafana'],
    ['grafana', 'http://127.0.0.1:3000/login/generic_oauth', 'http://127.0.0.1:3000'],
    ['proxmox', 'https://pve.example.org:8006', 'https://pve.example.org'],
    ['grafana', 'https://lab.example.org/other', 'https://charts.northlab.org'],
  ])('of %s with the redirect URL %s is for %s', ([id, uri, expected]) => {
    expect(baseOf(applicationNamed(id ?? ''), oidcClient({ redirect_uris: [uri ?? ''] }))).toBe(expected);
  });
});

describe('quoting', () => {
  const hostile = 'a"b\'c\\d$e${f}`g#h;i%j\n[k]\r\tl\u2028m';
  const line = 'a"b\'c\\d$e${f}`g#h;i%j[k]lm';

  test('shell: the word is the value', () => {
    expect(wordsOf(shellText(hostile))).toEqual([line]);
    expect(wordsOf(shellText(''))).toEqual(['']);
  });

  test('YAML and TOML: the string is the value', () => {
    expect(JSON.parse(yamlText(hostile))).toBe(line);
    expect(JSON.parse(tomlText(hostile))).toBe(line);
  });

  test('compose: a dollar sign is doubled', () => {
    expect(composeText('a$b${c}')).toBe('"a$$b$${c}"');
  });

  test('Ruby: backslash and apostrophe are escaped', () => {
    expect(singleQuoted(String.raw`it's \ #{evil}`)).toBe(String.raw`'it\'s \\ #{evil}'`);
  });

  test('INI: characters with a meaning are percent-encoded', () => {
    expect(iniText(hostile)).toMatch(/^[^`"'#;$\\\p{Cc}]*$/u);
    expect(iniText(' https://a.org/?b=c ')).toBe('https://a.org/?b=c');
  });

  test('Apache: quotes are escaped, and no variable is left', () => {
    expect(apacheText(String.raw`a"b\c`)).toBe(String.raw`"a\"b\\c"`);
    expect(apacheText('${HOME}')).not.toContain('${');
  });

  test('XML: characters with a meaning in elements and attributes are references', () => {
    expect(xmlText('<a b="1">&\n')).toBe('&lt;a b=&quot;1&quot;&gt;&amp;');
  });
});
