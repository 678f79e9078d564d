import type { TemplateKind } from '../templates/templates.schemas.ts';
import { tagsIn } from './tags.ts';

/** The subjects of our own mails, and of templates that have none of their own. */
export const defaultSubjects: Readonly<Record<TemplateKind, string>> = {
  invitation: 'Your account on {site}',
  ex_user_invitation: 'You are invited to {site}',
  signup: 'Confirm your account on {site}',
  reset: 'A new password for {site}',
  resend: 'Confirm your account on {site}',
  emailmfa: 'Your sign-in code for {site}',
};

/**
 * Why a subject may not be saved, or undefined. Subjects are shown on locked screens and kept in the logs of mail servers, so a secret
 * must not stand in one.
 */
export const subjectFault = (subject: string): string | undefined => {
  const secret = tagsIn(subject).find((tag) => tag === 'token' || tag === 'email_code');
  return secret === undefined
    ? undefined
    : `The subject cannot hold {${secret}}: subjects are shown on locked screens. Put it into the text.`;
};
