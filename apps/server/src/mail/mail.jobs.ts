import { createHash } from 'node:crypto';
import type { Task } from 'graphile-worker';
import type { Database } from '../database/connect.ts';
import { doOnce } from '../jobs/do-once.ts';
import type { Vault } from '../secrets/encryption.ts';
import { setMailOutcome } from './mail-records.ts';
import type { Mail, Mailer } from './mailer.ts';

const deliveries = { sent: 0, failed: 0 };

/** For the metrics: the attempts of this process to send a mail. */
export const readDeliveries = (): Readonly<typeof deliveries> => deliveries;

/** Far more than the mails that are sent at the same time. */
const maximumRemembered = 1_000;

/**
 * Sends a queued mail. If the database becomes unavailable while a mail is sent, its job is repeated. This process therefore remembers which
 * mails the mail server has accepted. After a crash nobody knows it, and the mail is sent again, with the same Message-ID.
 */
export const sendMailTask = (mailer: Mailer, vault: Vault, db: Database): Task => {
  const accepted = new Set<string>();

  const send = async (sealed: string): Promise<void> => {
    const mail = vault.open(sealed);
    if (mail === undefined) throw new Error('This mail was queued with another SECRET_KEY.');
    await mailer.send(mail as Mail, idOf(sealed));
  };

  return async (payload, { abortPromise, job }) => {
    const { sealed, record } = payload as { sealed: string; record?: number };
    if (!accepted.has(job.id)) {
      try {
        // A mail server that does not answer must not delay shutdown. The mail is retried later.
        await Promise.race([send(sealed), abortPromise]);
      } catch (error) {
        deliveries.failed += 1;
        if (record !== undefined && job.attempts >= job.max_attempts) await setMailOutcome(db, record, 'failed');
        throw error;
      }
      deliveries.sent += 1;
      accepted.add(job.id);
      const [oldest] = accepted;
      if (accepted.size > maximumRemembered && oldest !== undefined) accepted.delete(oldest);
    }
    await doOnce(db, job, async (tx) => {
      if (record !== undefined) await setMailOutcome(tx, record, 'sent');
    });
  };
};

/** The same for every attempt: encryption makes each queued mail unique. */
const idOf = (sealed: string): string => createHash('sha256').update(sealed).digest('base64url');
