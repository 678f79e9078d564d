import type { TemplateKind } from '@opensocial/contract';
import { defaultDesigns, type MailValues, renderDesign } from '@opensocial/contract/mail';
import { composeMail } from './compose.ts';
import type { Mail } from './mailer.ts';

const subjects: Readonly<Record<TemplateKind, (site: string) => string>> = {
  invitation: (site) => `Your account on ${site}`,
  ex_user_invitation: (site) => `You are invited to ${site}`,
  signup: (site) => `Confirm your account on ${site}`,
  reset: (site) => `A new password for ${site}`,
  resend: (site) => `Confirm your account on ${site}`,
  emailmfa: (site) => `Your sign-in code for ${site}`,
};

/** What a mail of a kind says: in the words of a template, or in our own. */
export const message = (kind: TemplateKind, values: MailValues, html?: string): Omit<Mail, 'to'> =>
  composeMail(
    kind,
    subjects[kind](values.site),
    html ?? renderDesign(defaultDesigns[kind], { origin: values.signup_from }),
    values,
  );
