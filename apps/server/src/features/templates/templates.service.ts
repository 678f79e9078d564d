import { createHash } from 'node:crypto';
import {
  ApiError,
  markupTooLarge,
  maximumMarkupBytes,
  type TemplateFields,
  TemplateKind,
  templateNames,
  templateTitles,
} from '@opensocial/contract';
import type { MailValues } from '@opensocial/contract/mail';
import type { Queryable } from '../../database/connect.ts';
import { readMailMarkup, removeImage } from '../../mail/mail-markup.ts';
import type { Mail } from '../../mail/mailer.ts';
import { type MailTemplate, message } from '../../mail/messages.ts';
import { templateNotice } from '../../mail/notices.ts';
import type { Parts } from '../../parts.ts';
import { findEffectiveOwners } from '../owners/owners.service.ts';
import {
  findTemplate,
  findTemplates,
  findUnreported,
  isAddressOfMember,
  markRefused,
  saveTemplate,
  type TemplateRow,
} from './templates.queries.ts';

export { findTemplatesWith } from './templates.queries.ts';

/** The template fields of the network settings. */
export const readTemplateFields = async (db: Queryable, networkId: number): Promise<TemplateFields> => {
  const rows = new Map((await findTemplates(db, networkId)).map((row) => [row.kind, row]));
  const fields = TemplateKind.options.flatMap((kind) => {
    const { field, use } = templateNames[kind];
    const row = rows.get(kind);
    return [
      [field, textOf(row)],
      [use, row?.in_use ? 'Yes' : 'No'],
    ];
  });
  return Object.fromEntries(fields) as TemplateFields;
};

/** Why saved templates of a network cannot be sent. They are checked on every read, by the same rules as a send. */
export const findTemplateProblems = async (
  db: Queryable,
  networkId: number,
  origin: string,
): Promise<Partial<Record<TemplateKind, string>>> => {
  const faults = (await findTemplates(db, networkId)).flatMap(({ kind, html }) => {
    const fault = html === null ? undefined : templateFault(html, kind, origin);
    return fault === undefined ? [] : [[kind, fault]];
  });
  return Object.fromEntries(faults) as Partial<Record<TemplateKind, string>>;
};

/**
 * In-process cache of faults by a hash of everything that they depend on, because checking markup takes up to 100 ms.
 */
const knownFaults = new Map<string, string | undefined>();
const mostKnownFaults = 1_000;

/** Why a stored template may not be sent, by the same rules as a send. */
export const templateFault = (html: string, kind: TemplateKind, origin: string): string | undefined => {
  if (Buffer.byteLength(html) > maximumMarkupBytes) return markupTooLarge;
  const key = createHash('sha256').update(`${kind} ${origin} ${html}`).digest('base64');
  if (knownFaults.has(key)) return knownFaults.get(key);
  const fault = readFault(html, kind, origin);
  const [oldest] = knownFaults.keys();
  if (knownFaults.size >= mostKnownFaults && oldest !== undefined) knownFaults.delete(oldest);
  knownFaults.set(key, fault);
  return fault;
};

const readFault = (html: string, kind: TemplateKind, origin: string): string | undefined => {
  try {
    readMailMarkup(html, kind, origin);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
};

/** Plain text from before there were designs is returned as it is. */
export const textOf = (row: Pick<TemplateRow, 'design' | 'html' | 'subject'> | undefined): string => {
  if (!row || row.html === null) return '';
  const { design, html, subject } = row;
  return design === null && subject === null
    ? html
    : JSON.stringify({ design, html, ...(subject !== null && { subject }) });
};

/** Removes an image from the templates that show it. */
export const removeImageFromTemplates = async (
  tx: Queryable,
  rows: readonly TemplateRow[],
  image: string,
): Promise<void> => {
  for (const { network_id, kind, design, html } of rows)
    await saveTemplate(tx, network_id, kind, removeImage({ design, html: html ?? '' }, image));
};

/** The recipient's own values. If no site is given, the network's name is used. */
export type Recipient = Pick<MailValues, 'user_name' | 'email'> &
  Partial<Pick<MailValues, 'token' | 'email_code' | 'site' | 'state' | 'relay_state'>>;

/** Replaces every name that a tenant chooses in mails to people who do not belong to the tenant. */
const productName = 'OpenSocial';

type MailParts = Pick<Parts, 'config' | 'log'>;
type Network = { id: number; name: string };

/**
 * Renders a mail of a network to one person. Each mail has its own job, because parsing a template blocks the process.
 * The network's own template is used only for people who belong to the network, because anybody can request a mail to
 * any address on a network's sign-in page. Everybody else gets the default text. Links point to our own origin,
 * whatever the request claims.
 */
export const renderNetworkMail = async (
  db: Queryable,
  parts: MailParts,
  network: Network,
  kind: TemplateKind,
  recipient: Recipient,
): Promise<Mail> => {
  const isMember = await isAddressOfMember(db, network.id, recipient.email.toLowerCase(), kind);
  const template = isMember ? await findSendable(db, parts, network, kind) : undefined;
  const none = { token: '', email_code: '', state: '', relay_state: '' };
  const names = isMember ? {} : { site: productName, state: '', relay_state: '' };
  const { publicUrl } = parts.config;
  const values: MailValues = { ...none, site: network.name, ...recipient, ...names, signup_from: publicUrl };
  return { to: recipient.email, ...message(kind, values, template) };
};

/**
 * The template that a network uses, if it can be sent. The owners are not notified here, because that would reveal the
 * mail to them.
 */
const findSendable = async (
  db: Queryable,
  { config, log }: MailParts,
  network: Network,
  kind: TemplateKind,
): Promise<MailTemplate | undefined> => {
  const template = await findTemplate(db, network.id, kind);
  if (!template?.in_use || !template.html) return undefined;
  const fault = templateFault(template.html, kind, config.publicUrl);
  if (fault === undefined) return { html: template.html, subject: template.subject };
  log.error({ network: network.name, kind, fault }, 'A template cannot be sent; the default text was sent instead.');
  return undefined;
};

/**
 * Notifies the owners of a network, once, that a template in use cannot be sent. It is called at the start of the
 * server and when a template is switched on, never by a send.
 */
export const reportTemplate = (
  db: Queryable,
  { config, jobs }: Pick<Parts, 'config' | 'jobs'>,
  network: Network,
  kind: TemplateKind,
): Promise<void> =>
  db.transaction(async (tx) => {
    const template = await findTemplate(tx, network.id, kind);
    if (!template?.in_use || !template.html || template.refused_at !== null) return;
    const fault = templateFault(template.html, kind, config.publicUrl);
    if (fault === undefined || !(await markRefused(tx, template))) return;
    const notice = templateNotice(config.publicUrl, network.name, { title: templateTitles[kind], fault });
    const owners = await findEffectiveOwners(tx, network.id);
    await jobs.sendMail(tx, ...owners.map((to) => ({ to, ...notice })));
  });

/** The same for all templates in use: the rules, or PUBLIC_URL, may have changed since they were saved. */
export const reportTemplates = async (parts: Parts): Promise<void> => {
  for (const { kind, ...network } of await findUnreported(parts.db))
    await reportTemplate(parts.db, parts, network, kind);
};
