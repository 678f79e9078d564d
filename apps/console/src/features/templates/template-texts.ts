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
    occasion: 'To somebody whom an administrator adds as a user, and who has no account yet.',
  },
  {
    kind: 'ex_user_invitation',
    name: 'Existing User Invitation',
    switching: 'Existing User Invitation',
    occasion: 'To somebody who is added as a user, and has an account in another network already.',
  },
  {
    kind: 'signup',
    name: 'Signup',
    switching: 'Signup',
    occasion: 'To somebody who signs up on the login page.',
  },
  {
    kind: 'reset',
    name: 'Reset',
    switching: 'Reset',
    occasion: 'To somebody who has forgotten their password.',
  },
  {
    kind: 'resend',
    name: 'Resend',
    switching: 'Resend',
    occasion: 'To somebody who asks for the link of the first mail again.',
  },
  {
    kind: 'emailmfa',
    name: 'Email MFA',
    switching: 'Email MFA',
    occasion: 'To somebody who proves their sign-in with a code by mail.',
  },
];

/** §2.11, in this order. */
export const templateTexts = texts.map((text) => ({ ...text, title: templateTitles[text.kind] }));

export const tagTexts: Readonly<Record<MergeTag, string>> = {
  user_name: 'the full name of the recipient',
  email: 'the address of the recipient',
  token: 'the secret of the link that sets a password; only in that link',
  site: 'the site that they came from, or the name of the network',
  signup_from: 'the address of this server; links begin with it',
  state: 'what the site gave along when the sign-in began, to go back to it',
  relay_state: 'where in the site they were going',
  email_code: 'the code of the Email MFA mail; only in the text',
};
