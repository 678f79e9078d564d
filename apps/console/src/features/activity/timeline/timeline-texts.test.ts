import { PersonEvent, PersonMailKind, type TimelineEntry } from '@opensocial/contract';
import { expect, test } from 'vitest';
import { entryText } from './timeline-texts.ts';

const at = '2026-05-05T10:00:00.000Z';

const signIn = (changes: object): TimelineEntry => ({
  kind: 'sign_in',
  id: 1,
  at,
  login_status: 'Success',
  reason: 'password, totp',
  site: 'reports.northlab.org',
  is_console: false,
  is_brief: false,
  ip_address: '10.0.0.1',
  user_agent: '',
  mfa: 'totp',
  ...changes,
});

const mail = (changes: object): TimelineEntry => ({
  kind: 'mail',
  id: 1,
  at,
  mail: 'invitation',
  outcome: 'sent',
  link: 'open',
  link_used_at: null,
  ...changes,
});

test('§2.8 timeline: a sign-in has the sentences of the activity log', () => {
  expect(entryText(signIn({}))).toEqual({
    title: 'Signed in to reports.northlab.org',
    details: ['Signed in with the password', 'Code from an authenticator app', '10.0.0.1'],
    tone: 'good',
  });
  expect(entryText(signIn({ login_status: 'Failed', reason: 'wrong password', mfa: '' }))).toMatchObject({
    title: 'Sign-in to reports.northlab.org failed',
    details: ['The password was wrong', '10.0.0.1'],
    tone: 'bad',
  });
});

test('§2.8 timeline: what is not shown is explained', () => {
  const brief = { is_console: true, is_brief: true, reason: '', ip_address: '', mfa: '' };
  expect(entryText(signIn(brief))).toEqual({
    title: 'Signed in to the console',
    details: ['Details are not shown, because this person also belongs to other networks.'],
    tone: 'good',
  });
});

test('§2.8 timeline: a mail says whether it arrived and whether its link was used', () => {
  expect(entryText(mail({}))).toEqual({
    title: 'Email sent: Invitation',
    details: ['The link has not been used yet.'],
    tone: 'quiet',
  });
  expect(entryText(mail({ link: 'used', link_used_at: at }))).toMatchObject({ tone: 'good' });
  expect(entryText(mail({ outcome: 'stored', link: 'ended' }))).toEqual({
    title: 'Email was not sent: Invitation',
    details: ['No mail server is set up.', 'The link was not used, and does not work any more.'],
    tone: 'warn',
  });
});

test('§2.8 timeline: every kind of mail and change has a title', () => {
  for (const kind of PersonMailKind.options)
    expect(entryText(mail({ mail: kind })).title).toMatch(/^Email sent: [A-Z]/);
  const change = { kind: 'change', id: 1, at, detail: '', actor: 'ana@northlab.org', is_own: false } as const;
  for (const event of PersonEvent.options) expect(entryText({ ...change, event }).title).toMatch(/^[A-Z]/);
  expect(entryText({ ...change, event: 'group_added', detail: 'Genomics' })).toMatchObject({
    title: 'Added to a group: Genomics',
    details: ['by ana@northlab.org'],
  });
});
