import type { GettingStarted } from '@opensocial/contract';
import type { Config } from '../../config.ts';
import type { Queryable } from '../../database/connect.ts';
import { mainNetworkName } from '../../identity/membership.ts';
import { canSendMail, createMailer } from '../../mail/mailer.ts';
import { testNotice } from '../../mail/notices.ts';
import type { Parts } from '../../parts.ts';
import { findSetup } from './getting-started.queries.ts';

type Viewed = { network: { id: number; name: string }; viewerId: number };

export const readGettingStarted = async (
  db: Queryable,
  config: Pick<Config, 'smtpUrl'>,
  { network, viewerId }: Viewed,
): Promise<GettingStarted> => {
  const setup = await findSetup(db, network.id, viewerId);
  const sends_mail = canSendMail(config);
  const ofInstallation = network.name === mainNetworkName;
  return {
    sends_mail,
    dismissed: setup.dismissedAt !== null,
    steps: [
      ...(ofInstallation ? [{ step: 'mail' as const, done: sends_mail && setup.mailAt !== null }] : []),
      { step: 'application', done: setup.application },
      { step: 'people', done: setup.people },
      { step: 'second_factor', done: setup.secondFactor },
      { step: 'branding', done: setup.branding },
      ...(ofInstallation ? [{ step: 'backup' as const, done: setup.backupAt !== null }] : []),
    ],
  };
};

/** Sends a mail at once instead of through the queue, so that the answer of the mail server can be shown. */
export const sendTestMailTo = async ({ config, log }: Pick<Parts, 'config' | 'log'>, to: string): Promise<string> => {
  try {
    await createMailer(config, log).send({ to, ...testNotice(config.publicUrl) });
    return '';
  } catch (error) {
    log.warn({ err: error }, 'The test mail could not be sent.');
    return (error instanceof Error ? error.message : String(error)).slice(0, 300);
  }
};
