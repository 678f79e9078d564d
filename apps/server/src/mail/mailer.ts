import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import nodemailer from 'nodemailer';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';

export type Mail = { to: string; subject: string; text: string; html: string };
export type Mailer = {
  /** Mail systems recognise a mail that is sent again with the same id, which becomes its Message-ID. */
  send: (mail: Mail, id?: string) => Promise<void>;
};

/**
 * Whether this server sends mail. Without SMTP, mails are only stored in a folder, where recipients do not see them.
 */
export const canSendMail = ({ smtpUrl }: Pick<Config, 'smtpUrl'>): boolean => smtpUrl !== undefined;

/** Where mails are stored if no SMTP server is configured. */
export const outboxFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'outbox');

/** Sends by SMTP, or writes to the outbox folder if no SMTP server is configured, so that no mail is lost. */
export const createMailer = (config: Config, log: Logger): Mailer =>
  config.smtpUrl
    ? smtpMailer(config.smtpUrl, config.mailFrom)
    : outboxMailer(outboxFolder(config), config.mailFrom, log);

const smtpMailer = (smtpUrl: string, from: string): Mailer => {
  // A mail server that checks a mail may take a minute before it accepts it. If we gave up earlier, it would deliver the mail, and we would
  // send it again. All of it must end before the job counts as abandoned.
  const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 150_000 };
  const transport = nodemailer.createTransport({ url: smtpUrl, ...timeouts });
  return {
    send: async (mail, id) => {
      await transport.sendMail(toMessage(mail, from, id));
    },
  };
};

/** The recipient is passed as one address instead of a list to parse, so that there is always exactly one recipient. */
const toMessage = ({ to, ...mail }: Mail, from: string, id: string = randomUUID()) => ({
  ...mail,
  from,
  to: { name: '', address: to },
  messageId: `<${id}@${domainOf(from)}>`,
});

/** MAIL_FROM is an address, or a name with an address in angle brackets. */
const domainOf = (from: string): string => /@([^@\s>]+)>?$/.exec(from)?.[1] ?? 'localhost';

const outboxMailer = (folder: string, from: string, log: Logger): Mailer => {
  const transport = nodemailer.createTransport({ streamTransport: true, buffer: true });
  return {
    send: async (mail, id) => {
      const { message } = await transport.sendMail(toMessage(mail, from, id));
      const file = join(folder, `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}.eml`);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 });
      await rename(`${file}.part`, file);
      log.warn({ file, subject: mail.subject }, 'No SMTP_URL is set: the email was saved in the outbox folder.');
    },
  };
};
