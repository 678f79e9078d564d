import { readConfig } from '../../config.ts';
import type { Database } from '../../database/connect.ts';
import { openCountries } from '../../features/activity/countries.ts';
import { createExchangeRecorder } from '../../features/diagnosis/diagnosis.service.ts';
import { createBudgets } from '../../http/budgets.ts';
import { createAttemptRecorder } from '../../identity/login-attempts.ts';
import { createJobs } from '../../jobs/jobs.ts';
import { createLog } from '../../log.ts';
import { canSendMail } from '../../mail/mailer.ts';
import type { Parts } from '../../parts.ts';
import { createVault } from '../../secrets/encryption.ts';
import { createKeyring } from '../../secrets/keyring.ts';
import { createStorage } from '../../storage/create-storage.ts';

export const testOrigin = 'http://localhost:8080';

/** The real parts, on the database of a test. */
export const testParts = (
  db: Database,
  dataDir: string,
  environment: Record<string, string> = {},
): Omit<Parts, 'consoleKey' | 'persistentNames'> => {
  const secretKey = 'a secret key that only tests use';
  const config = readConfig({
    SECRET_KEY: secretKey,
    DATA_DIR: dataDir,
    LOG_LEVEL: process.env['TEST_LOG'] ?? 'silent',
    QLIMIT: '5',
    ...environment,
  });
  const vault = createVault(config.secretKeys);
  const log = createLog(config.logLevel);
  return {
    config,
    db,
    vault,
    keyring: createKeyring(vault),
    jobs: createJobs(vault, { sendsMail: canSendMail(config) }),
    recordLoginAttempt: createAttemptRecorder(db),
    exchanges: createExchangeRecorder(db, log),
    storage: createStorage(config),
    budgets: createBudgets(),
    countries: openCountries(config),
    log,
  };
};
