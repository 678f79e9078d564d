import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { buildApp } from '../app.ts';
import { type Config, ConfigError } from '../config.ts';
import { type Connection, connect, isDatabaseAway, patient } from '../database/connect.ts';
import { findEmbedded, startEmbedded } from '../database/embedded/embedded.ts';
import { migrate } from '../database/migrate.ts';
import { keepLoginLog } from '../features/activity/activity.service.ts';
import { openCountries } from '../features/activity/countries.ts';
import { deleteStaleClaims } from '../features/audit/audit.service.ts';
import { removeImageFilesTask } from '../features/media/media.jobs.ts';
import { claimFirstOwner, type FirstOwner, prepareInstallation } from '../features/networks/installation.ts';
import { deleteStaleSessions } from '../features/session/session.service.ts';
import { disableInactive } from '../features/settings/settings.service.ts';
import { deleteStaleSignIns } from '../features/sign-in/sign-in.service.ts';
import { announceModeTask } from '../features/sites/sites.jobs.ts';
import { reportTemplatesTask } from '../features/templates/templates.jobs.ts';
import { answerLinkRequestTask, sendInvitationTask } from '../features/users/users.jobs.ts';
import { deleteStaleDeclines } from '../features/users/users.service.ts';
import { createBudgets } from '../http/budgets.ts';
import { listen } from '../http/listen.ts';
import { startMetrics } from '../http/metrics.ts';
import { removeStaleUploads } from '../http/uploads.ts';
import { createAttemptRecorder } from '../identity/login-attempts.ts';
import { createJobs, prepareJobs } from '../jobs/jobs.ts';
import { type JobWorker, releaseAbandonedJobs, startWorker } from '../jobs/worker.ts';
import { sendMailTask } from '../mail/mail.jobs.ts';
import { createMailer } from '../mail/mailer.ts';
import type { Parts } from '../parts.ts';
import { createVault, readSecretKey } from '../secrets/encryption.ts';
import { createKeyring } from '../secrets/keyring.ts';
import { createStorage } from '../storage/create-storage.ts';

export type Server = {
  parts: Parts;
  firstOwner: FirstOwner | undefined;
  stop: () => Promise<void>;
  /** Settles where the server cannot go on by itself. */
  failure?: Promise<Error>;
};

type Keeper = { parts: Parts; claimFirstOwner: () => Promise<FirstOwner | undefined>; stop: () => Promise<void> };

type Opened = {
  parts: Parts;
  /** The connections for work in the background, which may take its time. */
  background: Connection;
  /** Whether no other server can be on this database. */
  isAlone: boolean;
  close: () => Promise<void>;
};

/** How long connections to the database may take to end when we stop. */
const millisecondsToClose = 4_000;

/** How long a request that is under way may still take when we stop. */
const millisecondsToFinish = 4_000;

/** Database, keys and queue: what the server and the commands beside it have in common. */
export const open = async (config: Config, log: Logger, options: { besideServer?: boolean } = {}): Promise<Opened> => {
  const countries = openCountries(config);
  const onLost = (error: Error) => log.warn({ err: error }, 'A connection to the database was lost.');
  const onRestart = () => log.error('PostgreSQL had ended and was started again.');
  const running = options.besideServer && !config.databaseUrl ? await findEmbedded(config.dataDir) : undefined;
  const onMoved = (folder: string) =>
    log.warn({ folder }, 'The database is in this folder, since the account postgres cannot enter DATA_DIR.');
  const embedded =
    config.databaseUrl || running
      ? undefined
      : await startEmbedded(config.dataDir, { onRestart, onMoved }).catch((error: unknown) => {
          throw isDatabaseAway(error) ? tooSlow(error) : error;
        });
  const where = embedded?.where ?? running ?? { connectionString: config.databaseUrl ?? '' };
  const foreground = connect(where, onLost);
  const background = connect(where, onLost, patient);
  const close = async () => {
    // A connection that does not end, or ends with an error, must not keep PostgreSQL running.
    const closed = Promise.allSettled([foreground.close(), background.close()]);
    await Promise.race([closed, delay(millisecondsToClose, undefined, { ref: false })]);
    await embedded?.stop();
  };
  try {
    await migrate(background.pool);
    await prepareJobs(background.pool, log);
    const vault = createVault(await readSecretKey(config.secretKey, config.dataDir));
    const common = {
      config,
      db: foreground.db,
      vault,
      keyring: createKeyring(vault),
      jobs: createJobs(vault),
      recordLoginAttempt: createAttemptRecorder(foreground.db),
      storage: createStorage(config),
      budgets: createBudgets(),
      countries,
      log,
    };
    // By the patient connections: another server may be at it, and making keys takes time.
    const { consoleKey } = await prepareInstallation({ ...common, db: background.db });
    return { parts: { ...common, consoleKey }, background, isAlone: embedded !== undefined, close };
  } catch (error) {
    await close();
    throw !config.databaseUrl && isDatabaseAway(error) ? tooSlow(error) : error;
  }
};

/** The embedded database runs, but the machine is too busy for it: nothing is wrong with any setting. */
const tooSlow = (cause: unknown): ConfigError =>
  new ConfigError('The database of this server did not answer in time: the machine is very busy. Please start again.', {
    cause,
  });

/** What there is once, however many processes serve: the database, the work of the queue, the first owner. */
export const startKeeper = async (config: Config, log: Logger): Promise<Keeper> => {
  const { parts, background, isAlone, close } = await open(config, log);
  try {
    const worker = await startBackground(background, parts, isAlone);
    const stop = async () => {
      await worker.stop();
      await close();
    };
    return { parts, stop, claimFirstOwner: () => claimFirstOwner({ ...parts, db: background.db }) };
  } catch (error) {
    await close();
    throw error;
  }
};

/** What there may be several of: an app that listens. */
export const serve = async (parts: Parts): Promise<{ metrics: Registry; stop: () => Promise<void> }> => {
  const app = await buildApp(parts);
  const stop = () => closeApp(app);
  try {
    await listen(app, parts.config);
    return { metrics: app.metrics, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** Everything in one process, which can be stopped again without a trace. */
export const startServer = async (config: Config, log: Logger): Promise<Server> => {
  const keeper = await startKeeper(config, log);
  try {
    const served = await serve(keeper.parts);
    const metrics = await startMetrics(config, log, () => served.metrics.metrics()).catch(async (error: unknown) => {
      await served.stop();
      throw error;
    });
    const stop = async () => {
      await metrics.stop();
      await served.stop();
      await keeper.stop();
    };
    return { parts: keeper.parts, firstOwner: await keeper.claimFirstOwner(), stop };
  } catch (error) {
    await keeper.stop();
    throw error;
  }
};

const startBackground = async ({ pool, db }: Connection, parts: Parts, isAlone: boolean): Promise<JobWorker> => {
  const { config, vault, log } = parts;
  if (isAlone) await releaseAbandonedJobs(pool, '0 seconds');
  await removeStaleUploads(config);
  // A server that was off for months has none ready for its first lines.
  await keepLoginLog({ db, log }, config.logRetentionDays);
  await parts.jobs.reportTemplates(db);
  const sweep = async () => {
    await deleteStaleSessions(db);
    await deleteStaleSignIns(db);
    await deleteStaleDeclines(db);
    await disableInactive(db);
    await keepLoginLog({ db, log }, config.logRetentionDays);
    await deleteStaleClaims(db, config.logRetentionDays);
    await removeStaleUploads(config);
  };
  const tasks = {
    send_mail: sendMailTask(createMailer(config, log), vault),
    answer_link_request: answerLinkRequestTask({ ...parts, db }),
    send_invitation: sendInvitationTask({ ...parts, db }),
    report_templates: reportTemplatesTask({ ...parts, db }),
    announce_mode: announceModeTask({ ...parts, db }),
    remove_image_files: removeImageFilesTask({ ...parts, db }),
  };
  return startWorker(pool, { tasks, sweep, log });
};

/** Lets what is under way finish, but not for ever. */
const closeApp = async (app: FastifyInstance): Promise<void> => {
  const limit = setTimeout(() => app.server.closeAllConnections(), millisecondsToFinish);
  await app.close();
  clearTimeout(limit);
};
