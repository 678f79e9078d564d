import {
  type Caller,
  client,
  createSite,
  readSiteMetadata,
  type Subscriber,
  type SubscriberDraft,
  type SubscriberMetadata,
  updateSubscriber,
} from '@opensocial/contract';
import { type Connection, connect } from '../apps/server/src/database/connect.ts';
import { findEmbedded } from '../apps/server/src/database/embedded/embedded.ts';
import { makeUser, networkNamed, password } from '../apps/server/src/testing/app/builders.ts';
import { answers, assertFree, start } from './programs.ts';
import { type ServiceProvider, serviceProviders } from './service-providers.ts';
import { Visitor } from './visitor.ts';

export const network = 'opensocial';
export const address = 'http://localhost:4810';
export const entityId = `${address}/saml/${network}/metadata`;

/** What service providers need to know about the identity provider. */
export const describeIdentityProvider = async () => ({ entityId, metadata: await (await fetch(entityId)).text() });

export type IdentityProvider = {
  connection: Connection;
  /** The console's API as an owner of the network. */
  call: Caller;
  /** A new browser of a new person. */
  visitor: () => Promise<Visitor>;
  /** Registers a service provider with its own metadata, as an administrator does. */
  register: (provider: ServiceProvider) => Promise<Subscriber>;
  registerAll: () => Promise<{ provider: ServiceProvider; site: Subscriber }[]>;
};

/** Starts the server with its own database, and signs an owner in to the console. */
export const startIdentityProvider = async (folder: string): Promise<IdentityProvider> => {
  await assertFree(address);
  const env = {
    DATA_DIR: folder,
    PORT: new URL(address).port,
    PUBLIC_URL: address,
    WORKERS: '1',
    // The service providers are on loopback addresses.
    OUTBOUND_PRIVATE: 'allow',
    SECRET_KEY: 'a secret key that only this measurement uses',
  };
  start(process.execPath, ['apps/server/dist/main.js'], { env, log: `${folder}.log` });
  await answers(`${address}/readyz`);
  const connection = connect((await findEmbedded(folder)) ?? {}, () => undefined);
  const visitor = async (owns: string[] = []) => {
    const { email } = await makeUser(connection.db, { network, owns });
    return new Visitor({ email, password });
  };
  const call = client({ origin: address, fetch: fetchAs(await visitor([network])) });
  const { id } = await networkNamed(connection.db, network);
  const register = async (provider: ServiceProvider) => {
    const described = await describe(call, provider);
    return call(createSite, {
      params: { server_id: id, server_name: network },
      body: toDraft(provider, described),
    });
  };
  const registerAll = () =>
    Promise.all(serviceProviders.map(async (provider) => ({ provider, site: await register(provider) })));
  return { connection, call, visitor, register, registerAll };
};

/** Calls with the session of a person, who signs in again every few minutes, because some changes need a recent sign-in. */
const fetchAs = (person: Visitor): typeof fetch => {
  let signedInAt = 0;
  let signingIn: Promise<unknown> | undefined;
  const fetchSignedIn = async (url: string | URL, init?: RequestInit): Promise<Response> => {
    if (Date.now() - signedInAt > 5 * 60_000) {
      signedInAt = Date.now();
      person.forget(new URL(address).hostname);
      signingIn = person.open(`${address}/server/saml/login`);
    }
    // Calls that are made at the same time wait for one sign-in: a second one would forget the cookies of the first.
    await signingIn;
    return person.fetch(url, init);
  };
  return fetchSignedIn as typeof fetch;
};

const describe = async (call: Caller, { metadata }: ServiceProvider): Promise<SubscriberMetadata> => {
  const xml = await (await fetch(metadata)).text();
  const described = await call(readSiteMetadata, { params: { server_name: network }, body: { xml } });
  if ('entities' in described) throw new Error(`${metadata} describes several service providers.`);
  return described;
};

/** All of them are on one host, but the domain of a site is unique. */
const toDraft = ({ domain }: ServiceProvider, described: SubscriberMetadata): SubscriberDraft => {
  const { warnings, release, wants_assertions_signed: _signed, ...draft } = described;
  for (const warning of warnings) console.log(`  ${domain}: ${warning}`);
  return { ...draft, domain, ...(release && { release }) };
};

/** Changes some of a site's SSO parameters. */
export const change = async (call: Caller, site: Subscriber, changes: Partial<SubscriberDraft>): Promise<Subscriber> =>
  call(updateSubscriber, { params: { server_name: network }, body: { ...site, ...changes } });
