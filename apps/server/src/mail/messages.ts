import type { TemplateKind } from '@opensocial/contract';
import {
  defaultDesigns,
  defaultSubjects,
  fillAttribute,
  type MailValues,
  renderDesign,
} from '@opensocial/contract/mail';
import { composeMail } from './compose.ts';
import type { Mail } from './mailer.ts';

export type MailTemplate = { html: string; subject: string | null };

/** Composes a mail of a kind, from a template or from the default design. */
export const message = (kind: TemplateKind, values: MailValues, template?: MailTemplate): Omit<Mail, 'to'> =>
  composeMail(
    kind,
    fillAttribute(template?.subject || defaultSubjects[kind], values),
    template?.html ?? renderDesign(defaultDesigns[kind], { origin: values.signup_from }),
    values,
  );
