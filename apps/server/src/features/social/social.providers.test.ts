import { expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { createVault } from '../../secrets/encryption.ts';
import { wellKnown } from './social.providers.ts';
import { listProviders, type Offer } from './social.service.ts';

const vault = createVault(['a secret key that only tests use']);
const config = readConfig({ OIDC_ISSUERS: 'azure=https://login.example/v2.0|a|b Keycloak=https://id.example|c|d' });
const none = { linkedin_key: '', linkedin_secret: null, facebook_key: null, facebook_secret: null };
const offer = (auth_options: string[], custom_auth_options: string[] = []): Offer => ({
  site: { auth_options, custom_auth_options },
  settings: {
    ...none,
    google_key: 'key',
    google_secret: vault.encrypt('secret'),
    github_key: 'key without a secret',
    github_secret: null,
    twitter_key: '',
    twitter_secret: vault.encrypt('secret without a key'),
  },
});
const namesOf = (given: Offer) => listProviders({ config, vault }, given).map(({ name, label }) => [name, label]);

test('§2.7 login types: those that are enabled and have keys are offered, in the order of the site', () => {
  expect(namesOf(offer(['azure', 'google', 'github', 'twitter', 'opensocial'], ['keycloak', 'unknown']))).toEqual([
    ['azure', 'Microsoft'],
    ['google', 'Google'],
    ['keycloak', 'Keycloak'],
  ]);
  expect(namesOf(offer([]))).toEqual([]);
});

test('§2.7 login types: a custom option is an issuer of the configuration, and enables nothing else', () => {
  expect(namesOf(offer([], ['google', 'KEYCLOAK', 'Keycloak']))).toEqual([['keycloak', 'Keycloak']]);
});

test('§2.7 login types: names are split from the full names of GitHub and X', () => {
  const emails = [{ email: 'ana@northlab.org', primary: true, verified: true }];
  const names = { firstname: 'Ana', lastname: 'Moreno Ruiz' };
  expect(wellKnown.github.read({ id: 7, name: ' Ana Moreno  Ruiz ' }, emails)).toMatchObject(names);
  expect(wellKnown.github.read({ id: 7, name: null }, [])).toEqual({
    subject: '7',
    email: undefined,
    emailVerified: false,
    firstname: '',
    lastname: '',
  });
  expect(wellKnown.twitter.read({ data: { id: '7', name: 'Ana Moreno Ruiz' } })).toMatchObject(names);
});
