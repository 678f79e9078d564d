import type { SigningKey } from '@opensocial/saml';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Database } from './database/connect.ts';
import type { Budgets } from './http/budgets.ts';
import type { RecordLoginAttempt } from './identity/login-attempts.ts';
import type { ExchangeRecorder } from './identity/site-exchanges.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Vault } from './secrets/encryption.ts';
import type { Keyring } from './secrets/keyring.ts';
import type { PersistentNames } from './secrets/persistent-names.ts';
import type { Storage } from './storage/storage.ts';

/** The services that every feature gets. `process/start.ts` creates them for the server, and each test app creates its own. */
export type Parts = {
  config: Config;
  db: Database;
  vault: Vault;
  keyring: Keyring;
  /** The signing key of the console as a SAML service provider. */
  consoleKey: SigningKey;
  persistentNames: PersistentNames;
  jobs: Jobs;
  recordLoginAttempt: RecordLoginAttempt;
  /** Records the recent exchanges with sites, for diagnosis. */
  exchanges: ExchangeRecorder;
  storage: Storage;
  /** Rate limits for sign-ins and logouts that unknown visitors begin. */
  budgets: Budgets;
  /** The name of the country of an IP address, from the operator's own database; empty if it is not known. */
  countries: { of: (address: string) => string };
  log: Logger;
};
