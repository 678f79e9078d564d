import { type TemplateKind, templateTitles } from '@opensocial/contract';
import type { MergeTag } from '@opensocial/contract/mail';

type TemplateText = {
  kind: TemplateKind;
  /** The name in messages (§8). */
  name: string;
  /** The name in the error message of the switch. */
  switching: string;
  /** The occasion on which the mail is sent. */
  occasion: string;
};

const texts: readonly TemplateText[] = [
  {
    kind: 'invitation',
    name: 'Invitation',
    switching: 'Invation',
    occasion: 'Sent to people without an account when an owner adds them as users.',
  },
  {
    kind: 'ex_user_invitation',
    name: 'Existing User Invitation',
    switching: 'Existing User Invitation',
    occasion: 'Sent to people who already have an account in another network when they are added as users.',
  },
  {
    kind: 'signup',
    name: 'Signup',
    switching: 'Signup',
    occasion: 'Sent to people who sign up on the sign-in page.',
  },
  {
    kind: 'reset',
    name: 'Reset',
    switching: 'Reset',
    occasion: 'Sent to people who have forgotten their password.',
  },
  {
    kind: 'resend',
    name: 'Resend',
    switching: 'Resend',
    occasion: 'Sent to people who ask for the link of the first email again.',
  },
  {
    kind: 'emailmfa',
    name: 'Email MFA',
    switching: 'Email MFA',
    occasion: 'Sent to people who confirm their sign-in with a code by email.',
  },
];

/** §2.11, in this order. */
export const templateTexts = texts.map((text) => ({ ...text, title: templateTitles[text.kind] }));

export const tagTexts: Readonly<Record<MergeTag, string>> = {
  user_name: 'the full name of the recipient',
  email: 'the address of the recipient',
  token: 'the secret in the link that sets a password; allowed only in that link',
  site: 'the site that the recipient came from, or the name of the network',
  signup_from: 'the address of this server; links begin with it',
  state: 'the state that the site sent when the sign-in began',
  relay_state: 'the page of the site that the recipient wanted to open',
  email_code: 'the code of the Email MFA email; allowed only in the text',
};
