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
