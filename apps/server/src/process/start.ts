import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { buildApp } from '../app.ts';
import { type Config, ConfigError } from '../config.ts';
import { backgroundLimits, type Connection, connect, isDatabaseAway } from '../database/connect.ts';
import { findEmbedded, startEmbedded } from '../database/embedded/embedded.ts';
import { migrate } from '../database/migrate.ts';
import { assertOwnSessions } from '../database/own-sessions.ts';
import { waitForDatabase } from '../database/wait-for-database.ts';
import { countEarlierLines, maintainLoginLog } from '../features/activity/activity.service.ts';
import { openCountries } from '../features/activity/countries.ts';
import { chainAuditRecords, deleteStaleRecords } from '../features/audit/audit.chain.service.ts';
import { deleteStaleClaims } from '../features/audit/audit.service.ts';
import { makeBackupTask } from '../features/backups/backups.jobs.ts';
import { createExchangeRecorder, deleteStaleExchanges } from '../features/diagnosis/diagnosis.service.ts';
import { removeImageFilesTask } from '../features/media/media.jobs.ts';
import { claimMediaPlace } from '../features/media/media.places.service.ts';
import { readInstallationMetrics } from '../features/metrics/metrics.service.ts';
import { claimFirstOwner, type FirstOwner, prepareInstallation } from '../features/networks/installation.ts';
import { countLargeNetworks } from '../features/overview/overview.service.ts';
import { formatFor, reportKeyUse } from '../features/secret-keys/secret-keys.service.ts';
import { deleteStaleSessions } from '../features/session/session.service.ts';
import { disableInactive } from '../features/settings/settings.service.ts';
import { informSiteTask } from '../features/sign-in/logout/logout.jobs.ts';
import { deleteStaleSignIns, promoteDueKeys } from '../features/sign-in/sign-in.service.ts';
import { reportExpiriesTask } from '../features/signing-keys/signing-keys.jobs.ts';
import { checkSitesTask } from '../features/sites/sites.health.jobs.ts';
import { announceModeTask } from '../features/sites/sites.jobs.ts';
import { carryOutMaintenance } from '../features/sites/sites.maintenance.service.ts';
import { refreshMetadataTask, reportMetadataTask } from '../features/sites/sites.refresh.jobs.ts';
import { reportTemplatesTask } from '../features/templates/templates.jobs.ts';
import { expireTrash } from '../features/trash/trash.service.ts';
import { answerLinkRequestTask, sendInvitationTask } from '../features/users/users.jobs.ts';
import { deleteStaleDeclines } from '../features/users/users.service.ts';
import { createBudgets } from '../http/budgets.ts';
import { listen } from '../http/listen.ts';
import { startMetrics } from '../http/metrics.ts';
import { removeStaleUploads } from '../http/uploads.ts';
import { createAttemptRecorder } from '../identity/login-attempts.ts';
import { createJobs, prepareJobs } from '../jobs/jobs.ts';
import { type JobWorker, releaseAbandonedJobs, startWorker } from '../jobs/worker.ts';
import { openAcceptedMails } from '../mail/accepted-mails.ts';
import { sendMailTask } from '../mail/mail.jobs.ts';
import { deleteStaleMailRecords } from '../mail/mail-records.ts';
import { canSendMail, createMailer } from '../mail/mailer.ts';
import type { Parts } from '../parts.ts';
import { createVault } from '../secrets/encryption.ts';
import { createKeyring } from '../secrets/keyring.ts';
import { readSecretKeys } from '../secrets/secret-keys.ts';
import { createStorage } from '../storage/create-storage.ts';
import { findStoragePlace } from '../storage/storage-place.ts';

export type Server = {
  parts: Parts;
  firstOwner: FirstOwner | undefined;
  stop: () => Promise<void>;
  /** Resolves if the server cannot continue. */
  failure?: Promise<Error>;
};

type Primary = { parts: Parts; claimFirstOwner: () => Promise<FirstOwner | undefined>; stop: () => Promise<void> };

export type Opened = {
  parts: Parts;
  /** The connections for background work, with long timeouts. */
  background: Connection;
  /** The address of the database. */
  where: pg.ClientConfig;
  /** Whether no other server can use this database. */
  isAlone: boolean;
  close: () => Promise<void>;
};

/** How long closing database connections may take on shutdown. */
const closeTimeout = 4_000;

/** How long requests in progress may take on shutdown. */
const requestTimeout = 4_000;

/** Opens database, keys and job queue, which the server and the commands share. */
export const open = async (config: Config, log: Logger, options: { besideServer?: boolean } = {}): Promise<Opened> => {
  const countries = openCountries(config);
  const onLost = (error: Error) => log.warn({ err: error }, 'A connection to the database was lost.');
  const onRestart = () => log.error('PostgreSQL had stopped and was restarted.');
  const running = options.besideServer && !config.databaseUrl ? await findEmbedded(config.dataDir) : undefined;
  const onMoved = (folder: string) =>
    log.warn({ folder }, 'The database is in this folder, because the account postgres cannot enter DATA_DIR.');
  const embedded =
    config.databaseUrl || running
      ? undefined
      : await startEmbedded(config.dataDir, { onRestart, onMoved }).catch((error: unknown) => {
          throw isDatabaseAway(error) ? databaseTooSlow(error) : error;
        });
  const where = embedded?.where ?? running ?? { connectionString: config.databaseUrl ?? '' };
  const foreground = connect(where, onLost);
  const background = connect(where, onLost, backgroundLimits);
  const close = async () => {
    // A connection that does not close, or closes with an error, must not keep PostgreSQL running.
    const closed = Promise.allSettled([foreground.close(), background.close()]);
    await Promise.race([closed, delay(closeTimeout, undefined, { ref: false })]);
    await embedded?.stop();
  };
  try {
    // A worker that fails is started again by the primary process.
    if (config.databaseUrl && !options.besideServer) {
      const onWait = (err: unknown) => log.warn({ err }, 'The database cannot be reached yet.');
      await waitForDatabase(background.pool, { seconds: config.databaseWait, onWait });
    }
    if (config.databaseUrl) await assertOwnSessions(where);
    await migrate(background.pool);
    await prepareJobs(background.pool, log);
    const secrets = await readSecretKeys(config.secretKeys, config.dataDir);
    const vault = createVault(secrets, await formatFor(background.db, secrets));
    const common = {
      config,
      db: foreground.db,
      vault,
      keyring: createKeyring(vault),
      jobs: createJobs(vault, { sendsMail: canSendMail(config) }),
      recordLoginAttempt: createAttemptRecorder(foreground.db),
      exchanges: createExchangeRecorder(foreground.db, log),
      storage: createStorage(config),
      budgets: createBudgets(),
      countries,
      log,
    };
    // With the background connections: another server may be doing the same, and generating keys takes time.
    const keys = await prepareInstallation({ ...common, db: background.db });
    return { parts: { ...common, ...keys }, background, where, isAlone: embedded !== undefined, close };
  } catch (error) {
    await close();
    throw !config.databaseUrl && isDatabaseAway(error) ? databaseTooSlow(error) : error;
  }
};

/** The embedded database runs, but the machine is too busy. No setting is wrong. */
const databaseTooSlow = (cause: unknown): ConfigError =>
  new ConfigError('The database of this server did not answer in time: the machine is very busy. Please start again.', {
    cause,
  });

/**
 * Starts the parts that exist once, however many worker processes there are: the database, the job queue, the first
 * owner.
 */
export const startPrimary = async (config: Config, log: Logger): Promise<Primary> => {
  const { parts, background, where, isAlone, close } = await open(config, log);
  let place: { stop: () => Promise<void> } | undefined;
  try {
    if (!isAlone) place = await claimMediaPlace(background.db, await findStoragePlace(config), log);
    const worker = await startBackground({ ...background, where }, parts, isAlone);
    const keyUse = await reportKeyUse(background.db, parts.vault, log);
    const stop = async () => {
      keyUse.stop();
      await worker.stop();
      await place?.stop();
      await close();
    };
    return { parts, stop, claimFirstOwner: () => claimFirstOwner({ ...parts, db: background.db }) };
  } catch (error) {
    await place?.stop();
    await close();
    throw error;
  }
};

/** Starts an app that listens. There may be several of them. */
export const serve = async (parts: Parts): Promise<{ metrics: Registry; stop: () => Promise<void> }> => {
  const app = await buildApp(parts);
  const stop = async () => {
    app.drain();
    await delay(parts.config.shutdownDelay * 1_000);
    await closeApp(app);
  };
  try {
    await listen(app, parts.config);
    return { metrics: app.metrics, stop };
  } catch (error) {
    await closeApp(app);
    throw error;
  }
};

/** Starts everything in one process, which can be stopped completely again. */
export const startServer = async (config: Config, log: Logger): Promise<Server> => {
  const primary = await startPrimary(config, log);
  try {
    const served = await serve(primary.parts);
    const readMetrics = () => Promise.all([served.metrics.metrics(), readInstallationMetrics(primary.parts)]);
    const metrics = await startMetrics(config, log, readMetrics).catch(async (error: unknown) => {
      await served.stop();
      throw error;
    });
    const stop = async () => {
      await metrics.stop();
      await served.stop();
      await primary.stop();
    };
    return { parts: primary.parts, firstOwner: await primary.claimFirstOwner(), stop };
  } catch (error) {
    await primary.stop();
    throw error;
  }
};

const startBackground = async (
  { pool, db, where }: Connection & { where: pg.ClientConfig },
  parts: Parts,
  isAlone: boolean,
): Promise<JobWorker> => {
  const { config, vault, log } = parts;
  if (isAlone) await releaseAbandonedJobs(pool, '0 seconds');
  await removeStaleUploads(config);
  // A server that was off for months has no partition for its first log lines.
  await maintainLoginLog({ db, log }, config.logRetentionDays);
  await parts.jobs.reportTemplates(db);
  // The daily checks are skipped on days when no server runs at their time.
  await parts.jobs.reportExpiries(db);
  await parts.jobs.reportMetadata(db);
  const sweep = async () => {
    await deleteStaleSessions(db);
    await deleteStaleSignIns({ ...parts, db });
    await promoteDueKeys({ db });
    await deleteStaleDeclines(db);
    await deleteStaleExchanges(db);
    await disableInactive({ ...parts, db });
    // Usually its own job does it in time.
    await carryOutMaintenance({ ...parts, db });
    await maintainLoginLog({ db, log }, config.logRetentionDays);
    await countEarlierLines({ db });
    await countLargeNetworks(db);
    await deleteStaleClaims(db, config.logRetentionDays);
    await deleteStaleRecords({ ...parts, db }, config.auditRetentionDays);
    await expireTrash({ ...parts, db });
    await deleteStaleMailRecords(db, config.logRetentionDays);
    await removeStaleUploads(config);
  };
  const tasks = {
    send_mail: sendMailTask(createMailer(config, log), openAcceptedMails(config.dataDir), vault, db),
    answer_link_request: answerLinkRequestTask({ ...parts, db }),
    send_invitation: sendInvitationTask({ ...parts, db }),
    report_templates: reportTemplatesTask({ ...parts, db }),
    report_expiries: reportExpiriesTask({ ...parts, db }),
    refresh_metadata: refreshMetadataTask({ ...parts, db }),
    report_metadata: reportMetadataTask({ ...parts, db }),
    check_sites: checkSitesTask({ ...parts, db }),
    chain_audit_records: () => chainAuditRecords({ ...parts, db }),
    carry_out_maintenance: () => carryOutMaintenance({ ...parts, db }),
    announce_mode: announceModeTask({ ...parts, db }),
    inform_site: informSiteTask({ ...parts, db }),
    remove_image_files: removeImageFilesTask({ ...parts, db }),
    ...(config.backups.folder !== undefined && { make_backup: makeBackupTask({ ...parts, db, where }) }),
  };
  return startWorker(pool, { tasks, sweep, log });
};

/** Waits for requests in progress, up to a limit. */
const closeApp = async (app: FastifyInstance): Promise<void> => {
  const limit = setTimeout(() => app.server.closeAllConnections(), requestTimeout);
  await app.close();
  clearTimeout(limit);
};
