import { ApiError, type TemplateFields, TemplateKind, templateNames } from '@opensocial/contract';
import type { MailValues } from '@opensocial/contract/mail';
import type { Queryable } from '../../database/connect.ts';
import { leaveOutImage } from '../../mail/mail-markup.ts';
import type { Mail } from '../../mail/mailer.ts';
import { message } from '../../mail/messages.ts';
import type { Parts } from '../../parts.ts';
import { findTemplate, findTemplates, saveTemplate, type TemplateRow } from './templates.queries.ts';

export { findTemplatesWith } from './templates.queries.ts';

/** The fields of the network settings that are about templates. */
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

/** A text that was never a design is answered as it is. */
const textOf = (row: TemplateRow | undefined): string => {
  if (!row || row.html === null) return '';
  return row.design === null ? row.html : JSON.stringify({ design: row.design, html: row.html });
};

/** Takes an image out of the templates that show it. */
export const leaveOutOfTemplates = async (
  tx: Queryable,
  rows: readonly TemplateRow[],
  image: string,
): Promise<void> => {
  for (const { network_id, kind, design, html } of rows)
    await saveTemplate(tx, network_id, kind, leaveOutImage({ design, html: html ?? '' }, image));
};

/** The recipient's own values. Where no site is named, the network is what they are told of. */
export type Recipient = Pick<MailValues, 'user_name' | 'email'> &
  Partial<Pick<MailValues, 'token' | 'email_code' | 'site' | 'state' | 'relay_state'>>;

/**
 * Mails of a network: its own template where it uses one, else ours. Links lead to our own origin, whatever anybody claims
 * to have come from.
 */
export const renderNetworkMails = async (
  db: Queryable,
  { config, log }: Pick<Parts, 'config' | 'log'>,
  network: { id: number; name: string },
  kind: TemplateKind,
  recipients: readonly Recipient[],
): Promise<Mail[]> => {
  if (recipients.length === 0) return [];
  const template = await findTemplate(db, network.id, kind);
  const own = template?.in_use ? (template.html ?? '') : '';
  const none = { token: '', email_code: '', state: '', relay_state: '' };
  return recipients.map((recipient) => {
    const values: MailValues = { ...none, site: network.name, ...recipient, signup_from: config.publicUrl };
    const to = recipient.email;
    if (own === '') return { to, ...message(kind, values) };
    try {
      return { to, ...message(kind, values, own) };
    } catch (error) {
      // It was good when it was saved, but PUBLIC_URL may have changed since. The recipient needs the mail all the same.
      if (!(error instanceof ApiError)) throw error;
      log.error({ network: network.name, kind, reason: error.message }, 'A template cannot be sent; our own text was.');
      return { to, ...message(kind, values) };
    }
  });
};

export const renderNetworkMail = async (
  db: Queryable,
  parts: Pick<Parts, 'config' | 'log'>,
  network: { id: number; name: string },
  kind: TemplateKind,
  recipient: Recipient,
): Promise<Mail> => {
  const [mail] = await renderNetworkMails(db, parts, network, kind, [recipient]);
  if (!mail) throw new Error('A mail that was just written is gone.');
  return mail;
};
