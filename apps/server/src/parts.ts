import type { SigningKey } from '@opensocial/saml';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Database } from './database/connect.ts';
import type { Countries } from './features/activity/countries.ts';
import type { RecordAttempt } from './features/sign-in/sign-in.service.ts';
import type { Budgets } from './http/budgets.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Vault } from './secrets/encryption.ts';
import type { Keyring } from './secrets/keyring.ts';
import type { Storage } from './storage/storage.ts';

/** What the features are made of; `main.ts` makes the real ones, a test its own. */
export type Parts = {
  config: Config;
  db: Database;
  vault: Vault;
  keyring: Keyring;
  /** The console's own key as a service provider. */
  consoleKey: SigningKey;
  jobs: Jobs;
  recordAttempt: RecordAttempt;
  storage: Storage;
  /** How much strangers may begin. */
  budgets: Budgets;
  countries: Countries;
  log: Logger;
};
