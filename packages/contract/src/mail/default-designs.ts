import type { TemplateKind } from '../templates/templates.schemas.ts';
import type { Design, DesignNode } from './design.ts';
import { setPasswordAddress } from './set-password.ts';
import { isMergeTag, splitTags } from './tags.ts';

/** The designs that are sent if a network has no template of its own. Owners can start from them in the editor. */
const accent = '#0f766e';
const ground = '#eef1f5';
const muted = '#56657c';

const inline = (text: string, colour?: string): DesignNode[] =>
  splitTags(text).map((piece) => ({
    ...('tag' in piece && isMergeTag(piece.tag)
      ? { type: 'mergeTag', attrs: { name: piece.tag } }
      : { type: 'text', text: piece.text }),
    ...(colour && { marks: [{ type: 'textStyle', attrs: { color: colour } }] }),
  }));

const heading = (text: string, level = 1, textAlign = 'left'): DesignNode => ({
  type: 'heading',
  attrs: { level, textAlign },
  content: inline(text),
});
const paragraph = (text: string, colour?: string): DesignNode => ({
  type: 'paragraph',
  attrs: { textAlign: 'left' },
  content: inline(text, colour),
});
const button = (label: string, href: string): DesignNode => ({
  type: 'mailButton',
  attrs: { label, href, colour: accent, textAlign: 'left' },
});
const section = (background: string, ...content: DesignNode[]): DesignNode => ({
  type: 'section',
  attrs: { background },
  content,
});
const spacer = (height: number): DesignNode => ({ type: 'spacer', attrs: { height } });

const letter = (title: string, blocks: DesignNode[], note: string): Design => ({
  type: 'doc',
  attrs: { background: ground },
  content: [
    section(accent, heading('{site}', 3)),
    spacer(12),
    heading(title),
    ...blocks,
    { type: 'horizontalRule' },
    paragraph(note, muted),
  ],
});

const unasked = 'If you did not expect this, you can ignore this email.';

export const defaultDesigns: Readonly<Record<TemplateKind, Design>> = {
  invitation: letter(
    'You have been invited to {site}',
    [
      paragraph('Set your password and confirm your account. The link works once, within 24 hours.'),
      button('Set your password', setPasswordAddress),
    ],
    unasked,
  ),
  ex_user_invitation: letter(
    'You are invited to {site}',
    [
      paragraph(
        'Hello {user_name}, an administrator invites you to join {site}. Sign in with your account, and accept or decline the invitation on your profile.',
      ),
      button('See the invitation', '{signup_from}/profile'),
    ],
    'If you did not expect this, you can ignore this email: nothing changes without your consent.',
  ),
  signup: letter(
    'Welcome to {site}',
    [
      paragraph('Confirm your address {email} and choose a password. The link works once, within 24 hours.'),
      button('Confirm your account', setPasswordAddress),
    ],
    'If you did not sign up, you can ignore this email: no account is created until the link is used.',
  ),
  reset: letter(
    'Choose a new password',
    [
      paragraph(
        'Somebody, most likely you, asked for a new password for {email}. The link works once, within an hour.',
      ),
      button('Choose a new password', setPasswordAddress),
    ],
    'If it was not you, you can ignore this email: your password stays as it is.',
  ),
  resend: letter(
    'Confirm your account',
    [
      paragraph('Here is the link that you asked for. It works once, within 24 hours.'),
      button('Confirm your account', setPasswordAddress),
    ],
    unasked,
  ),
  emailmfa: letter(
    'Your sign-in code',
    [
      paragraph('Enter this code to continue signing in to {site}. It works once, within ten minutes.'),
      section(ground, heading('{email_code}', 1, 'center')),
      spacer(16),
    ],
    'Do not share it with anybody. If you are not signing in, change your password: somebody else may know it.',
  ),
};

/** Fictional values for previews and tests. */
export const sampleValues = (origin: string, site: string) => ({
  user_name: 'Alex Example',
  email: 'alex@example.com',
  token: 'sample-token',
  site,
  signup_from: origin,
  state: 'sample-state',
  relay_state: 'sample-relay-state',
  email_code: '123456',
});
