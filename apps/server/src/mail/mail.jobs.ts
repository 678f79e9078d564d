import type { Task } from 'graphile-worker';
import type { Vault } from '../secrets/encryption.ts';
import type { Mail, Mailer } from './mailer.ts';

export const sendMailTask =
  (mailer: Mailer, vault: Vault): Task =>
  async (payload, { abortPromise }) => {
    const mail = vault.open((payload as { sealed: string }).sealed);
    if (mail === undefined) throw new Error('This mail was queued with another SECRET_KEY.');
    // A mail server that does not answer must not delay shutdown. The mail is retried later.
    await Promise.race([mailer.send(mail as Mail), abortPromise]);
  };
