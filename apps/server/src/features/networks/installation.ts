import { randomBytes } from 'node:crypto';
import type { SigningKey } from '@opensocial/saml';
import { and, eq, sql } from 'drizzle-orm';
import { ConfigError } from '../../config.ts';
import type { Transaction } from '../../database/connect.ts';
import { installation, sites, users } from '../../database/schema.ts';
import { mainNetworkName } from '../../identity/membership.ts';
import type { Parts } from '../../parts.ts';
import { isCommonPassword, publicFactsAbout } from '../../secrets/common-passwords.ts';
import { hashPassword } from '../../secrets/passwords.ts';
import { createPersistentNames } from '../../secrets/persistent-names.ts';
import { describeCertificate, makeSigningKey, openSigningKey } from '../../secrets/signing-keys.ts';
import { checkSecretKeys } from '../secret-keys/secret-keys.service.ts';
import { followsPolicy, toPasswordPolicy } from '../settings/settings.service.ts';
import { consoleAddresses } from '../sign-in/sign-in.service.ts';
import { addOwner, createNetwork, findNetworkByName } from './networks.service.ts';

/** `link` is the page on which the owner sets a password. It is undefined if the configuration has set the password. */
export type FirstOwner = { email: string; link: string | undefined };

type InstallationKeys = Pick<Parts, 'consoleKey' | 'persistentNames'>;

/**
 * Creates the main network, and the console as its service provider, unless they exist. A row lock makes servers that start at the same
 * time wait for each other.
 */
export const prepareInstallation = (parts: Omit<Parts, keyof InstallationKeys>): Promise<InstallationKeys> =>
  parts.db.transaction(async (tx) => {
    const state = await lockState(tx);
    await checkSecretKeys(tx, parts, state.console_private_key);
    const keys = {
      persistentNames: createPersistentNames(await ensureNameIdKey(tx, parts, state)),
      consoleKey: await ensureConsoleKey(tx, parts, state),
    };
    const ready: Parts = { ...parts, ...keys };
    const network =
      (await findNetworkByName(tx, mainNetworkName))?.network ?? (await createNetwork(tx, ready, mainNetworkName));
    await ensureConsoleSite(tx, ready, network.id);
    return keys;
  });

/**
 * Creates the first owner, once for the whole life of the installation, even if the account is deleted later. It is called when the server
 * is already listening, because the link is shown only once and would be lost with a start that fails.
 */
export const claimFirstOwner = (parts: Parts): Promise<FirstOwner | undefined> =>
  parts.db.transaction(async (tx) => {
    if ((await lockState(tx)).first_owner_at) return undefined;
    await tx.update(installation).set({ first_owner_at: sql`now()` });
    return makeFirstOwner(tx, parts);
  });

type State = typeof installation.$inferSelect;

const lockState = async (tx: Transaction): Promise<State> => {
  const [state] = await tx.select().from(installation).for('update');
  if (!state) throw new Error('The installation record is gone.');
  return state;
};

/** The console's key is replaced by a start within this time before its certificate expires. */
const consoleKeyRenewal = 60 * 86_400_000;

/** Whether a certificate is valid at a time in the future, in milliseconds from now. */
const isValidIn = (milliseconds: number) => (certificate: string) =>
  describeCertificate(certificate).notAfter.getTime() > Date.now() + milliseconds;

/** The key that the console signs its requests with. Both sides are ours, so it is replaced without a question. */
const ensureConsoleKey = async (
  tx: Transaction,
  { vault }: Pick<Parts, 'vault'>,
  { console_private_key: sealed, console_certificate: certificate }: State,
): Promise<SigningKey> => {
  if (sealed && certificate && isValidIn(consoleKeyRenewal)(certificate))
    return { privateKey: openSigningKey(vault.decrypt(sealed)), certificate };
  const key = await makeSigningKey('OpenSocial console');
  await tx
    .update(installation)
    .set({ console_private_key: vault.encrypt(key.privateKey), console_certificate: key.certificate });
  return { privateKey: openSigningKey(key.privateKey), certificate: key.certificate };
};

/**
 * The key of persistent NameIDs. Installations from before it had a column have made them with a key that is derived from
 * the SECRET_KEY of that time, which is stored now, so that nobody gets another name. New ones get a random key.
 */
const ensureNameIdKey = async (tx: Transaction, { vault }: Pick<Parts, 'vault'>, state: State): Promise<Buffer> => {
  if (state.name_id_key) return vault.decrypt(state.name_id_key);
  // A console key that cannot be decrypted must stop the start: a random key would rename everybody.
  const key = state.console_private_key
    ? vault.macKeyOf(vault.keyIdOf(state.console_private_key) ?? 'of the console')
    : randomBytes(32);
  await tx.update(installation).set({ name_id_key: vault.encrypt(key) });
  return key;
};

/**
 * Registers the console as a site. Its addresses are updated at each start, because PUBLIC_URL may have changed. A former certificate
 * stays accepted until it ends: servers that started before the key was replaced still sign with the former key.
 */
const ensureConsoleSite = async (tx: Transaction, { config, consoleKey }: Parts, networkId: number): Promise<void> => {
  const { entityId, acsUrl, slsUrl } = consoleAddresses(config);
  const [registered] = await tx
    .select({ certificate: sites.certificate })
    .from(sites)
    .where(and(eq(sites.network_id, networkId), eq(sites.kind, 'console')));
  const former = (registered?.certificate?.split('\n') ?? []).filter(isValidIn(0));
  const addresses = {
    identity: entityId,
    acs: acsUrl,
    sls: slsUrl,
    domain: new URL(config.publicUrl).host,
    certificate: [...new Set([consoleKey.certificate, ...former])].join('\n'),
  };
  await tx
    .insert(sites)
    .values({ network_id: networkId, kind: 'console', site_name: 'OpenSocial', ...addresses })
    .onConflictDoUpdate({ target: sites.network_id, targetWhere: sql`kind = 'console'`, set: addresses });
};

const makeFirstOwner = async (tx: Transaction, parts: Parts): Promise<FirstOwner> => {
  const main = await findNetworkByName(tx, mainNetworkName);
  if (!main) throw new Error('The main network is gone.');
  const { email, password } = parts.config.firstOwner;
  const { link, user } = await addOwner(tx, parts, main.network, email, { withMail: false });
  if (password === undefined) return { email, link };
  if (!followsPolicy(main.settings, password)) {
    throw new ConfigError(`FIRST_OWNER_PASSWORD: ${toPasswordPolicy(main.settings).regex_message}`);
  }
  if (isCommonPassword(password, publicFactsAbout({ email, network: mainNetworkName })))
    throw new ConfigError('FIRST_OWNER_PASSWORD: this password is easy to guess.');
  await tx
    .update(users)
    .set({
      status: 'Confirmed',
      provisional: false,
      password_hash: await hashPassword(password),
      password_changed_at: sql`now()`,
    })
    .where(eq(users.id, user.id));
  return { email, link: undefined };
};
