import type { Task } from 'graphile-worker';
import type { Queryable } from '../database/connect.ts';
import type { Vault } from '../secrets/encryption.ts';
import { setMailOutcome } from './mail-records.ts';
import type { Mail, Mailer } from './mailer.ts';

const deliveries = { sent: 0, failed: 0 };

/** For the metrics: the attempts of this process to send a mail. */
export const readDeliveries = (): Readonly<typeof deliveries> => deliveries;

export const sendMailTask =
  (mailer: Mailer, vault: Vault, db: Queryable): Task =>
  async (payload, { abortPromise, job }) => {
    const { sealed, record } = payload as { sealed: string; record?: number };
    const mail = vault.open(sealed);
    if (mail === undefined) throw new Error('This mail was queued with another SECRET_KEY.');
    try {
      // A mail server that does not answer must not delay shutdown. The mail is retried later.
      await Promise.race([mailer.send(mail as Mail), abortPromise]);
    } catch (error) {
      deliveries.failed += 1;
      if (record !== undefined && job.attempts >= job.max_attempts) await setMailOutcome(db, record, 'failed');
      throw error;
    }
    deliveries.sent += 1;
    if (record !== undefined) await setMailOutcome(db, record, 'sent');
  };
