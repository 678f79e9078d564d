import type { GettingStarted, ScheduledBackups } from '@opensocial/contract';
import type { Config } from '../../config.ts';
import type { Queryable } from '../../database/connect.ts';
import { mainNetworkName } from '../../identity/membership.ts';
import { canSendMail, createMailer, outboxFolder } from '../../mail/mailer.ts';
import { testNotice } from '../../mail/notices.ts';
import type { Parts } from '../../parts.ts';
import { findReport } from '../backups/backups.schedule.service.ts';
import { findSetup } from './getting-started.queries.ts';

type Viewed = { network: { id: number; name: string }; viewerId: number };

export const readGettingStarted = async (
  db: Queryable,
  config: Pick<Config, 'smtpUrl' | 'backups' | 'dataDir'>,
  { network, viewerId }: Viewed,
): Promise<GettingStarted> => {
  const setup = await findSetup(db, network.id, viewerId);
  const sends_mail = canSendMail(config);
  const ofInstallation = network.name === mainNetworkName;
  const backups = ofInstallation && config.backups.folder !== undefined ? await describeBackups(db, config) : null;
  return {
    sends_mail,
    outbox: ofInstallation && !sends_mail ? outboxFolder(config) : null,
    dismissed: setup.dismissedAt !== null,
    backups,
    steps: [
      ...(ofInstallation
        ? [
            { step: 'mail' as const, done: sends_mail && setup.mailAt !== null },
            { step: 'network' as const, done: setup.network },
          ]
        : []),
      { step: 'application', done: setup.application },
      { step: 'people', done: setup.people },
      { step: 'second_factor', done: setup.secondFactor },
      { step: 'branding', done: setup.branding },
      ...(ofInstallation ? [{ step: 'backup' as const, done: backups ? backups.works : setup.backupAt !== null }] : []),
    ],
  };
};

/** A backup that is as late as this is a sign that no server makes them. */
const overdueAfter = 2;

const describeBackups = async (
  db: Queryable,
  { backups: { everyHours } }: Pick<Config, 'backups'>,
): Promise<ScheduledBackups> => {
  const { made_at = null, failed_at = null, failure } = (await findReport(db)) ?? {};
  const isRecent = made_at !== null && made_at.getTime() > Date.now() - overdueAfter * everyHours * 3_600_000;
  return {
    works: isRecent && failed_at === null,
    made_at: made_at?.toISOString() ?? null,
    failed_at: failed_at?.toISOString() ?? null,
    failure: failure ?? '',
  };
};

/** Sends a mail at once instead of through the queue, so that the answer of the mail server can be shown. */
export const sendTestMailTo = async ({ config, log }: Pick<Parts, 'config' | 'log'>, to: string): Promise<string> => {
  try {
    await createMailer(config, log).send({ to, ...testNotice(config.publicUrl) });
    return '';
  } catch (error) {
    log.warn({ err: error }, 'The test email could not be sent.');
    return (error instanceof Error ? error.message : String(error)).slice(0, 300);
  }
};
