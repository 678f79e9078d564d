import { SiteDraft } from '@opensocial/contract';
import { describe, expect, test } from 'vitest';
import { samlValuesOf } from '../../connect/registration.ts';
import { baseOf, type IdentityProviderValues, type SamlApplication } from './application.ts';
import { samlApplications } from './applications.ts';

const issuer = 'https://sso.example.org/saml/northlab';
const values: IdentityProviderValues = {
  base: 'https://reports.example.org',
  entityId: `${issuer}/metadata`,
  ssoUrl: `${issuer}/sso`,
  sloUrl: `${issuer}/slo`,
  certificate: '-----BEGIN CERTIFICATE-----\nMIIBcertificate\n-----END CERTIFICATE-----\n',
  fingerprint: 'AB:CD',
};

const textsOf = ({ configure }: SamlApplication, given: IdentityProviderValues): string[] =>
  configure(given).flatMap((part) => ('text' in part ? [part.text] : part.fields.map(([, value]) => value)));

const applicationNamed = (id: string): SamlApplication => {
  const found = samlApplications.find((application) => application.id === id);
  if (!found) throw new Error(`There is no application ${id}.`);
  return found;
};

const named = samlApplications.map((application) => [application.name, application] as const);

describe('§2.6 the recipe of an application with SAML', () => {
  test('there are two dozen recipes with those for OpenID Connect', async () => {
    const { recipes } = await import('../../recipes/recipes.ts');
    expect(recipes.length).toBeGreaterThanOrEqual(24);
    expect(new Set(recipes.map(({ id }) => id)).size).toBe(recipes.length);
  });

  test.for(named)('%s registers parameters that the server accepts, and nothing of another host', ([, application]) => {
    for (const base of [
      'https://reports.example.org',
      'https://lab.example.org:8443/reports',
      'http://127.0.0.1:8080',
    ]) {
      const draft = samlValuesOf(application, base);
      expect(SiteDraft.safeParse(draft).error?.issues ?? []).toEqual([]);
      expect(draft.domain).toBe(new URL(base).host);
      const isHosted = application.id === 'google-workspace';
      expect(draft.acs.startsWith(isHosted ? 'https://www.google.com/a/' : base)).toBe(true);
    }
  });

  test.for(named)('%s has what it needs of our identity provider', ([, application]) => {
    const text = textsOf(application, values).join('\n');
    expect(text).toContain(issuer);
    expect(text).not.toMatch(/undefined|\[object/);
    const knowsKey = text.includes('MIIBcertificate') || text.includes(values.entityId);
    expect(knowsKey).toBe(true);
  });

  test.for(named)('%s is recognised by the addresses that it has registered', ([, application]) => {
    const base = 'https://lab.example.org/reports';
    const { acs, domain } = samlValuesOf(application, base);
    const expected = application.id === 'google-workspace' ? 'https://lab.example.org' : base;
    expect(baseOf(application, { acs, domain })).toBe(expected);
  });

  test.for([
    ['https://lab.example.org', '"/"', '"/mellon"', '/mellon/logout?ReturnTo=/', 'MellonSecureCookie On'],
    [
      'https://lab.example.org/reports',
      '"/reports"',
      '"/reports/mellon"',
      '/reports/mellon/logout?ReturnTo=/reports/',
      'MellonSecureCookie On',
    ],
    [
      'http://127.0.0.1:8080',
      '"/"',
      '"/mellon"',
      '/mellon/logout?ReturnTo=/',
      'SetEnvIf Request_URI "^" MELLON_DISABLE_SAMESITE=1',
    ],
  ])(
    'mod_auth_mellon at %s protects its own path, with cookies that browsers keep and a link to sign out',
    ([base = '', ...expected]) => {
      const mellon = applicationNamed('mellon');
      const [, host = ''] = textsOf(mellon, { ...values, base });
      const [location, endpoint, signOut, cookie] = expected;
      const lines = host.split('\n').map((line) => line.trim());
      expect(lines).toContain(`<Location ${location}>`);
      expect(lines).toContain(`MellonEndpointPath ${endpoint}`);
      expect(lines).toContain(`# Link that signs people out: ${signOut}`);
      expect(lines).toContain(cookie);
    },
  );

  test.for([
    ['mellon', 'https://lab.example.org/'],
    ['pysaml2', 'https://lab.example.org/saml2/login/'],
  ])('a sign-in to %s begins at the application, which may refuse others', ([id = '', address]) => {
    expect(samlValuesOf(applicationNamed(id), 'https://lab.example.org')).toMatchObject({ login_url: address });
  });

  test.for(['https://reports.example.org', 'https://lab.example.org/reports'])(
    'an application of its own with pysaml2 at %s has a function for each address that it registers',
    (base) => {
      const pysaml2 = applicationNamed('pysaml2');
      const { login_url = '', acs, sls } = pysaml2.register(base);
      const text = textsOf(pysaml2, { ...values, base }).join('\n');
      expect(text).toContain(`"""GET ${new URL(login_url).pathname}"""`);
      expect(text).toContain(`"""POST ${new URL(acs).pathname} `);
      expect(text).toContain(`"""GET ${new URL(sls).pathname} `);
    },
  );

  test('an application of its own with pysaml2 names its session when it begins a sign-out, because its request has no signature', () => {
    const text = textsOf(applicationNamed('pysaml2'), values).join('\n');
    expect(text).toContain(`'${values.sloUrl}'`);
    expect(text).toMatch(/create_logout_request\(.*session_indexes=\[index\]/);
  });

  test.for(named)('%s writes every value as text, whatever it contains', ([, application]) => {
    const attack = 'x\n<evil attribute="1">\rkey = 1\u2028';
    const hostile = {
      ...values,
      base: `https://a.org/${attack}`,
      entityId: `${issuer}${attack}`,
      ssoUrl: `${issuer}${attack}`,
    };
    const lines = (given: IdentityProviderValues) =>
      application.configure(given).map((part) => ('text' in part ? part.text.split('\n').length : part.fields.length));
    expect(lines(hostile)).toEqual(lines(values));
    const files = application.configure(hostile).flatMap((part) => ('text' in part ? [part.text] : []));
    expect(files.join('\n')).not.toMatch(/[\r\u2028]|^<evil|="[^"]*<evil/m);
  });
});
