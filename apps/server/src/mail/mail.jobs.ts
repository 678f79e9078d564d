import { createHash } from 'node:crypto';
import type { Task } from 'graphile-worker';
import type { Database } from '../database/connect.ts';
import { doOnce } from '../jobs/do-once.ts';
import type { Vault } from '../secrets/encryption.ts';
import type { AcceptedMails } from './accepted-mails.ts';
import { setMailOutcome } from './mail-records.ts';
import type { Mail, Mailer } from './mailer.ts';

const deliveries = { sent: 0, failed: 0 };

/** For the metrics: the attempts of this process to send a mail. */
export const readDeliveries = (): Readonly<typeof deliveries> => deliveries;

/**
 * Sends a queued mail. A job is repeated if its result could not be stored, because the database became unavailable or this process was
 * killed: a mail that the mail server has accepted is not sent again then. A process that is killed before it learns of the acceptance has
 * to send the mail again, with the same Message-ID.
 */
export const sendMailTask = (mailer: Mailer, accepted: AcceptedMails, vault: Vault, db: Database): Task => {
  const send = async (sealed: string): Promise<void> => {
    const id = idOf(sealed);
    if (accepted.has(id)) return;
    const mail = vault.open(sealed);
    if (mail === undefined) throw new Error('This email was queued with another SECRET_KEY.');
    await mailer.send(mail as Mail, id);
    accepted.add(id);
    deliveries.sent += 1;
  };

  return async (payload, { abortPromise, job }) => {
    const { sealed, record } = payload as { sealed: string; record?: number };
    try {
      // A mail server that does not answer must not delay shutdown. The mail is retried later.
      await Promise.race([send(sealed), abortPromise]);
    } catch (error) {
      deliveries.failed += 1;
      if (record !== undefined && job.attempts >= job.max_attempts) await setMailOutcome(db, record, 'failed');
      throw error;
    }
    await doOnce(db, job, async (tx) => {
      if (record !== undefined) await setMailOutcome(tx, record, 'sent');
    });
  };
};

/** The same for every attempt: encryption makes each queued mail unique. */
const idOf = (sealed: string): string => createHash('sha256').update(sealed).digest('base64url');
