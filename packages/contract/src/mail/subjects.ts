import type { TemplateKind } from '../templates/templates.schemas.ts';
import { tagsIn } from './tags.ts';

/** The subjects of the default mails, and of templates without a subject. */
export const defaultSubjects: Readonly<Record<TemplateKind, string>> = {
  invitation: 'Your account on {site}',
  ex_user_invitation: 'You are invited to {site}',
  signup: 'Confirm your account on {site}',
  reset: 'A new password for {site}',
  resend: 'Confirm your account on {site}',
  emailmfa: 'Your sign-in code for {site}',
};

/**
 * Returns why a subject must not be saved, or undefined. Subjects appear on lock screens and in the logs of mail
 * servers, so they must not contain secrets.
 */
export const subjectFault = (subject: string): string | undefined => {
  const secret = tagsIn(subject).find((tag) => tag === 'token' || tag === 'email_code');
  return secret === undefined
    ? undefined
    : `The subject cannot contain {${secret}}: subjects are shown on locked screens. Put it into the text.`;
};
