import { createSigningKey, listSigningKeys, removeSigningKey, switchSite } from '@opensocial/contract';
import { readSpMetadata } from '@opensocial/saml';
import { change, entityId, type IdentityProvider, network } from './identity-provider.ts';
import { report, type World } from './report.ts';
import { refreshMetadata, type ServiceProvider, startPysaml2 } from './service-providers.ts';

const settings = [
  { signs: 'both', encrypts: 'No' },
  { signs: 'assertion', encrypts: 'No' },
  { signs: 'response', encrypts: 'No' },
  { signs: 'both', encrypts: 'Yes' },
  { signs: 'assertion', encrypts: 'Yes' },
  { signs: 'response', encrypts: 'Yes' },
] as const;

/** Whether the metadata of a service provider leads to one signature, because we recognise its software. */
const hasOneSignature: Record<string, boolean> = {
  mod_auth_mellon: true,
  'Shibboleth SP': true,
  SimpleSAMLphp: true,
  pysaml2: false,
};

/** A sign-on at every service provider as its metadata proposes it, and with every combination of signatures and encryption. */
export const checkProtection = async ({ idp, folder, sites }: World): Promise<void> => {
  for (const { provider, site } of sites) {
    const proposed = { signs: site.signs, encrypts: site.encrypts };
    report(
      `${provider.name}, proposed: ${proposed.signs}`,
      proposed.signs === (hasOneSignature[provider.name] ? 'assertion' : 'both'),
      'another proposal was expected',
    );
    for (const setting of [proposed, ...settings]) {
      await change(idp.call, site, setting);
      const { isDone, details } = await signOn(idp, provider);
      report(`${provider.name}, signed: ${setting.signs}, encrypted: ${setting.encrypts}`, isDone, details);
    }
    await change(idp.call, site, proposed);
  }
  await checkResponseWanted({ idp, folder });
  await checkEcdsa({ idp, folder, sites });
};

/** Whether a new person can sign on at a service provider. */
const signOn = async (idp: IdentityProvider, { page }: ServiceProvider) => {
  const visitor = await idp.visitor();
  const { text, url } = await visitor.open(page);
  return {
    isDone: text.includes(`signed in as ${visitor.credentials.email}`),
    details: `${url}: ${text.slice(0, 200)}`,
  };
};

/** The metadata of a service provider does not say that it needs a signed response, so it has to get both signatures. */
const checkResponseWanted = async ({ idp, folder }: Pick<World, 'idp' | 'folder'>): Promise<void> => {
  for (const [port, want_response_signed] of [
    [4822, true],
    [4823, false],
  ] as const) {
    const provider = await startPysaml2(folder, { port, want_assertions_signed: true, want_response_signed });
    const name = `pysaml2 that wants a signed assertion${want_response_signed ? ' and a signed response' : ''}`;
    const site = await idp.register(provider);
    const both = await signOn(idp, provider);
    report(`${name}, proposed: ${site.signs}`, site.signs === 'both' && both.isDone, both.details);
    await change(idp.call, site, { signs: 'assertion' });
    const one = await signOn(idp, provider);
    const expected = want_response_signed ? 'refuses' : 'accepts';
    report(`${name} ${expected} the signature of the assertion`, one.isDone !== want_response_signed, one.details);
  }
};

/** Whether a service provider verifies signatures of ECDSA. Software that says nothing about it in its metadata may do so or not. */
const verifiesEcdsa: Record<string, boolean> = {
  mod_auth_mellon: false,
  'Shibboleth SP': true,
  SimpleSAMLphp: false,
  pysaml2: true,
};

/** How often a service provider is tried until it has read new metadata of the identity provider. */
const maximumTries = 10;

/** A sign-on at every service provider with an ECDSA key, after it has read the metadata that lists the key. */
const checkEcdsa = async ({ idp, folder, sites }: World): Promise<void> => {
  const params = { server: network };
  await idp.call(createSigningKey, { params, body: { algorithm: 'ec-p256' } });
  const { keys } = await idp.call(listSigningKeys, { params });
  const keyIn = (state: string) => ({ server: network, key_id: keys.find((key) => key.state === state)?.id ?? 0 });
  const [current, next] = [keyIn('current'), keyIn('next')];
  await refreshMetadata(folder, await (await fetch(entityId)).text());
  for (const { provider, site } of sites) {
    await idp.call(switchSite, { params: next, body: { site_id: site.id } });
    let result = await signOn(idp, provider);
    for (let tries = 1; tries < maximumTries && !result.isDone; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      result = await signOn(idp, provider);
    }
    const verifies = verifiesEcdsa[provider.name] === true;
    const described = await readSpMetadata(await (await fetch(provider.metadata)).bytes(), site.identity);
    const lists = !Array.isArray(described) && described.verifiesEcdsa;
    report(
      `${provider.name} ${verifies ? 'verifies' : 'refuses'} ECDSA, and its metadata ${lists ? 'lists it' : 'does not list it'}`,
      result.isDone === verifies && (verifies || !lists),
      result.details,
    );
    await idp.call(switchSite, { params: current, body: { site_id: site.id } });
  }
  await idp.call(removeSigningKey, { params: next });
  await refreshMetadata(folder, await (await fetch(entityId)).text());
};
