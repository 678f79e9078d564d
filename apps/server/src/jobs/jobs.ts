import { sql } from 'drizzle-orm';
import { Logger, runMigrations, type Logger as WorkerLogger } from 'graphile-worker';
import type pg from 'pg';
import type { Logger as Log } from 'pino';
import type { Queryable } from '../database/connect.ts';
import { insertMailRecords, type MailRecord } from '../mail/mail-records.ts';
import type { Mail } from '../mail/mailer.ts';
import type { Vault } from '../secrets/encryption.ts';

/** A request on a sign-in page: a new password, the confirmation mail again, or an account. */
export type LinkRequest = {
  reason: 'forgot' | 'resend' | 'sign-up';
  network: { id: number; name: string };
  email: string;
  firstname: string;
  lastname: string;
  /**
   * The budget that the request counts against: that of the client's address, or of a device that the account knows.
   */
  address: string;
  device: string | undefined;
};

/** An invitation to be mailed: the invited row of `users`, the network that invites, and the record of the mail. */
export type InvitationRequest = { userId: number; networkId: number; recordId?: number | undefined };

/**
 * A mail to send, with what is recorded about it, or the id of its record if there is one already. `isAwaited`: somebody is waiting for it at a
 * screen, so it is sent before others, such as the invitations of an import.
 */
export type QueuedMail = Mail & { record?: MailRecord | { id: number }; isAwaited?: true };

/**
 * Jobs with a lower number begin first. What strangers can cause without limit, such as requests for links, must not come before the work of
 * others: only a mail to an existing account is awaited, and an account gets few of them.
 */
const priorities = { awaited: -10, usual: 0, toSites: 10 };

/** A session at a site that has ended here. `logoutSiteId`: the row of `logout_sites` if its browser is informing the site too. */
export type EndedSession = {
  siteId: number;
  nameId: string;
  nameIdFormat: string;
  sessionIndex: string;
  logoutSiteId?: number;
};

/**
 * Work that outlives a request. A job is added in the transaction that requires it, so that it exists exactly if that
 * transaction commits. A failed job is retried with growing intervals for about a day.
 */
export type Jobs = {
  sendMail: (tx: Queryable, ...mails: QueuedMail[]) => Promise<void>;
  /** Stores that mails to people are sent, which other jobs render, and returns the ids of the records in the same order. */
  recordMails: (tx: Queryable, mails: readonly { to: string; record: MailRecord }[]) => Promise<number[]>;
  /**
   * Answers a request for a link by mail. Only the job checks whether there is an account, so that response times do
   * not reveal it.
   */
  answerLinkRequest: (tx: Queryable, request: LinkRequest) => Promise<void>;
  /** Mails invitations, each in its own job. Only the job checks whether there is an account. */
  sendInvitations: (tx: Queryable, requests: readonly InvitationRequest[]) => Promise<void>;
  /** Checks all templates in use. At most one check waits in the queue. */
  reportTemplates: (tx: Queryable) => Promise<void>;
  /** Mails owners about certificates that expire soon. At most one check waits in the queue. */
  reportExpiries: (tx: Queryable) => Promise<void>;
  /** Mails owners about metadata that has changed or cannot be read. At most one check waits in the queue. */
  reportMetadata: (tx: Queryable) => Promise<void>;
  /** A later change replaces an earlier one that was not delivered yet. */
  announceMode: (tx: Queryable, siteId: number, uid: string) => Promise<void>;
  /** Closes or opens a site at a time. A later plan replaces an earlier one. */
  carryOutMaintenance: (tx: Queryable, siteId: number, kind: 'closes' | 'opens', at: Date) => Promise<void>;
  /** Informs sites of sessions that have ended, each in its own job, for some minutes, now or after some seconds. */
  informSites: (tx: Queryable, ended: readonly EndedSession[], inSeconds?: number) => Promise<void>;
  /** Removes the files of an image that is not in the library, now or after some minutes. */
  removeImageFiles: (tx: Queryable, name: string, inMinutes?: number) => Promise<void>;
};

export const prepareJobs = (pool: pg.Pool, log: Log): Promise<void> =>
  runMigrations({ pgPool: pool, logger: toWorkerLogger(log) });

/** Mails may contain a link that gives access to an account, so they are encrypted in the queue. */
export const createJobs = (vault: Vault, { sendsMail }: { sendsMail: boolean }): Jobs => ({
  sendMail: async (tx, ...mails) => {
    if (mails.length === 0) return;
    const unrecorded = mails.flatMap(({ to, record }) => (record && !('id' in record) ? [{ to, record }] : []));
    const ids = await insertMailRecords(tx, unrecorded, sendsMail);
    const queued = mails.map(({ record, isAwaited, ...mail }) => {
      const recordId = record && ('id' in record ? record.id : ids.shift());
      return { isAwaited, payload: { sealed: vault.seal(mail), ...(recordId !== undefined && { record: recordId }) } };
    });
    for (const [isAwaited, jobs] of Map.groupBy(queued, (each) => each.isAwaited))
      await addJobs(
        tx,
        'send_mail',
        jobs.map(({ payload }) => payload),
        { priority: isAwaited ? priorities.awaited : priorities.usual },
      );
  },
  recordMails: (tx, mails) => insertMailRecords(tx, mails, sendsMail),
  answerLinkRequest: async (tx, request) => {
    await addJob(tx, 'answer_link_request', { sealed: vault.seal(request) });
  },
  sendInvitations: async (tx, requests) => {
    if (requests.length > 0) await addJobs(tx, 'send_invitation', requests);
  },
  reportTemplates: async (tx) => {
    await addJob(tx, 'report_templates', {}, { key: 'report_templates' });
  },
  reportExpiries: async (tx) => {
    await addJob(tx, 'report_expiries', {}, { key: 'report_expiries' });
  },
  reportMetadata: async (tx) => {
    await addJob(tx, 'report_metadata', {}, { key: 'report_metadata' });
  },
  announceMode: async (tx, siteId, uid) => {
    await addJob(tx, 'announce_mode', { uid }, { key: announcementKey(siteId) });
  },
  carryOutMaintenance: async (tx, siteId, kind, at) => {
    await addJob(tx, 'carry_out_maintenance', {}, { key: `maintenance:${siteId}:${kind}`, at });
  },
  informSites: async (tx, ended, inSeconds = 0) => {
    if (ended.length === 0) return;
    // A site may answer slowly, and other work must not wait for thousands of such jobs.
    await addJobs(
      tx,
      'inform_site',
      ended.map((session) => ({ sealed: vault.seal(session) })),
      { attempts: 6, priority: priorities.toSites, inSeconds },
    );
  },
  removeImageFiles: async (tx, name, inMinutes = 0) => {
    await addJob(tx, 'remove_image_files', { name }, { inMinutes });
  },
});

export const announcementKey = (siteId: number): string => `announce_mode:${siteId}`;

type When = { key?: string; inMinutes?: number; at?: Date };

const addJob = (tx: Queryable, task: string, payload: object, { key, inMinutes = 0, at }: When = {}) =>
  tx.execute(
    sql`select graphile_worker.add_job(${task}, ${JSON.stringify(payload)}::json, max_attempts => 12,
      job_key => ${key ?? null}, run_at => coalesce(${at ?? null}::timestamptz, now() + ${inMinutes} * interval '1 minute'))`,
  );

type Effort = { attempts?: number; priority?: number; inSeconds?: number };

/** Adds any number of jobs in one statement. */
const addJobs = (
  tx: Queryable,
  task: string,
  payloads: readonly object[],
  { attempts = 12, priority = priorities.usual, inSeconds = 0 }: Effort = {},
) =>
  tx.execute(
    sql`select graphile_worker.add_job(${task}, payload, max_attempts => ${attempts}::int, priority => ${priority}::int,
        run_at => now() + ${inSeconds} * interval '1 second')
      from json_array_elements(${JSON.stringify(payloads)}::json) as payload`,
  );

export const toWorkerLogger = (log: Log): WorkerLogger =>
  new Logger(() => (level, message) => {
    if (level === 'error' || level === 'warning') log[level === 'error' ? 'error' : 'warn']({ part: 'jobs' }, message);
  });
