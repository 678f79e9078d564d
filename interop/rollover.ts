import {
  createSigningKey,
  listSigningKeys,
  removeSigningKey,
  switchAllSites,
  switchSite,
  trySigningKey,
} from '@opensocial/contract';
import { entityId, network } from './identity-provider.ts';
import { report, type World } from './report.ts';
import { host, refreshMetadata, type ServiceProvider } from './service-providers.ts';
import type { Visitor } from './visitor.ts';

const visitorsPerSite = 2;
/** How many sign-ons each service provider completes between two steps. */
const signOnsPerStep = 12;

type Load = { provider: ServiceProvider; done: number; failures: string[] };

/** Signs on again and again until it is over. The session at the identity provider lasts, the one at the service provider does not. */
const signOnRepeatedly = async (visitor: Visitor, load: Load, isOver: () => boolean): Promise<void> => {
  while (!isOver()) {
    visitor.forget(host);
    const { text, url } = await visitor
      .open(load.provider.page)
      .catch((error: unknown) => ({ text: String(error), url: '' }));
    if (text.includes(`signed in as ${visitor.credentials.email}`)) load.done += 1;
    else load.failures.push(`${url}: ${text.slice(0, 300)}`);
  }
};

/** Replaces the signing key of the network while people sign on at all service providers. No sign-on may fail. */
export const checkRollover = async ({ idp, folder, sites }: World): Promise<void> => {
  let isOver = false;
  const loads = sites.map(({ provider }): Load => ({ provider, done: 0, failures: [] }));
  const running = await Promise.all(
    loads.flatMap((load) =>
      Array.from({ length: visitorsPerSite }, async () => {
        const visitor = await idp.visitor();
        return () => signOnRepeatedly(visitor, load, () => isOver);
      }),
    ),
  );
  const ended = Promise.all(running.map((run) => run()));
  /** Waits until every service provider has completed some sign-ons after a step. */
  const pass = async (step: string) => {
    const before = loads.map(({ done, failures }) => done + failures.length);
    const isPassed = () =>
      loads.every(({ done, failures }, place) => done + failures.length >= (before[place] ?? 0) + signOnsPerStep);
    while (!isPassed()) await new Promise((resolve) => setTimeout(resolve, 50));
    console.log(
      `  ${step}: ${loads.map(({ provider, done, failures }) => `${provider.name} ${done}, failed ${failures.length}`).join('; ')}`,
    );
  };
  const params = { server: network };
  const keyIn = async (state: string) => {
    const { keys } = await idp.call(listSigningKeys, { params });
    const key = keys.find((each) => each.state === state);
    if (!key) throw new Error(`There is no ${state} key.`);
    return { server: network, key_id: key.id };
  };
  try {
    await pass('before');
    await idp.call(createSigningKey, { params, body: { algorithm: 'rsa-3072' } });
    const [former, next] = [await keyIn('current'), await keyIn('next')];
    await pass('next key published');
    await refreshMetadata(folder, await (await fetch(entityId)).text());
    await pass('metadata refreshed');
    await idp.call(trySigningKey, { params: next });
    await pass('tried by an owner');
    for (const { provider, site } of sites) {
      await idp.call(switchSite, { params: next, body: { site_id: site.id } });
      await pass(`${provider.name} switched`);
    }
    for (const { site } of sites) await idp.call(switchSite, { params: former, body: { site_id: site.id } });
    await pass('switched back');
    await idp.call(switchAllSites, { params: next });
    await pass('all switched');
    await idp.call(removeSigningKey, { params: former });
    await pass('former key removed');
    await refreshMetadata(folder, await (await fetch(entityId)).text());
    await pass('metadata refreshed');
  } finally {
    isOver = true;
    await ended;
  }
  for (const { provider, done, failures } of loads)
    report(
      `${provider.name}: ${done} sign-ons during the rollover`,
      failures.length === 0,
      `${failures.length} failed, for example ${failures[0]}`,
    );
};
