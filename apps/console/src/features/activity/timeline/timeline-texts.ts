import type { PersonEvent, PersonMailKind, TimelineEntry } from '@opensocial/contract';
import { browserName } from '../../../patterns/browser-name/browser-name.ts';
import { shortTime } from '../../../patterns/format/format.ts';
import { factorText, reasonText } from '../line-texts.ts';

type EntryTone = 'good' | 'warn' | 'bad' | 'quiet';

/** What an entry says: a title, facts below it, and how good the news is. */
export type EntryText = { title: string; details: string[]; tone: EntryTone };

type SignIn = Extract<TimelineEntry, { kind: 'sign_in' }>;
type SentMail = Extract<TimelineEntry, { kind: 'mail' }>;
type Change = Extract<TimelineEntry, { event: PersonEvent }>;

const hidden = 'Details are not shown, because this person also belongs to other networks.';

const signInText = (entry: SignIn): EntryText => {
  const { login_status, site, is_console, is_brief, ip_address, user_agent, mfa } = entry;
  const place = is_console ? 'the console' : site;
  const isSuccess = login_status === 'Success';
  return {
    title: isSuccess ? `Signed in to ${place}` : `Sign-in to ${place} failed`,
    details: is_brief
      ? [hidden]
      : [
          // A fact among others, without the full stop of a sentence.
          reasonText(entry).replace(/\.$/, ''),
          ...(mfa === '' ? [] : [factorText(entry)]),
          ...(user_agent === '' ? [] : [browserName(user_agent)]),
          ip_address,
        ],
    tone: isSuccess ? 'good' : 'bad',
  };
};

const mailNames: Record<PersonMailKind, string> = {
  invitation: 'Invitation',
  sign_up: 'Confirmation of a new account',
  confirmation: 'Confirmation link',
  reset: 'Link for a new password',
  reset_by_owner: 'Link for a new password, sent by an owner',
  code: 'Sign-in code',
  confirmation_code: 'Code to switch on email codes',
  new_device: 'Notice of a new device',
  password_changed: 'Notice of a new password',
  factor_changed: 'Notice of a changed second factor',
  passkey_changed: 'Notice of a changed passkey',
  login_changed: 'Notice of a linked sign-in',
  signed_out: 'Notice of a sign-out by an owner',
  factors_reset: 'Notice of a reset of the second factors',
  disabled: 'Notice that the account was disabled',
  enabled: 'Notice that the account was enabled',
  unlocked: 'Notice that the account was unlocked',
};

const outcomes: Record<SentMail['outcome'], { verb: string; detail: string; tone: EntryTone }> = {
  queued: { verb: 'Email is being sent', detail: '', tone: 'quiet' },
  sent: { verb: 'Email sent', detail: '', tone: 'quiet' },
  failed: { verb: 'Email was not delivered', detail: 'The mail server did not accept it.', tone: 'bad' },
  stored: { verb: 'Email was not sent', detail: 'No mail server is set up.', tone: 'warn' },
};

const linkText = ({ link, link_used_at }: SentMail): string => {
  if (link === 'used')
    return link_used_at === null ? 'The link was used.' : `The link was used ${shortTime(link_used_at)}.`;
  if (link === 'open') return 'The link has not been used yet.';
  return link === 'ended' ? 'The link was not used, and does not work any more.' : '';
};

const mailText = (entry: SentMail): EntryText => {
  const { verb, detail, tone } = outcomes[entry.outcome];
  return {
    title: `${verb}: ${mailNames[entry.mail]}`,
    details: [detail, linkText(entry)].filter((text) => text !== ''),
    tone: entry.link === 'used' ? 'good' : tone,
  };
};

/** The titles of changes. A colon is followed by what the change is about, if the record says it. */
const eventTitles: Record<PersonEvent, string> = {
  invited: 'Invited',
  invited_again: 'Invited again',
  link_copied: 'Link of the invitation copied',
  accepted: 'Accepted the invitation',
  declined: 'Declined the invitation',
  left: 'Left the network',
  renamed: 'Name changed',
  confirmed: 'Marked as confirmed',
  unconfirmed: 'Marked as not confirmed',
  enabled: 'Enabled',
  disabled: 'Disabled',
  unlocked: 'Unlocked',
  never_disable: 'Set to never disable',
  may_disable: 'No longer set to never disable',
  group_added: 'Added to a group',
  group_removed: 'Removed from a group',
  owner_added: 'Made an owner of the network',
  owner_removed: 'Removed as an owner',
  desktop_viewed: 'Desktop viewed',
  visit_removed: 'Site removed from the desktop',
  removed: 'Removed from the network',
  restored: 'Restored from the trash',
  deleted: 'Deleted permanently from the trash',
  recovered: 'Link for a new password made on the server, second factors removed',
  reset_sent: 'Link for a new password sent',
  signed_out: 'Signed out',
  factors_reset: 'Second factors reset',
  own_name: 'Changed the name',
  own_address: 'Confirmed the address by an emailed link',
  own_password: 'Changed the password',
  own_authenticator: 'Changed the authenticator app',
  own_recovery_codes: 'Created new recovery codes',
  own_email_codes: 'Switched email codes on or off',
  own_passkeys: 'Changed the passkeys',
  own_login: 'Unlinked a sign-in',
  changed: 'Changed',
};

const detailed: ReadonlySet<PersonEvent> = new Set([
  'invited',
  'renamed',
  'group_added',
  'group_removed',
  'visit_removed',
  'own_name',
]);

const eventTones: Partial<Record<PersonEvent, EntryTone>> = {
  disabled: 'warn',
  removed: 'warn',
  deleted: 'warn',
  recovered: 'warn',
  restored: 'good',
  factors_reset: 'warn',
  signed_out: 'warn',
  owner_removed: 'warn',
  owner_added: 'warn',
  link_copied: 'warn',
  accepted: 'good',
  unlocked: 'good',
  enabled: 'good',
};

const changeText = ({ event, detail, actor, is_own }: Change): EntryText => ({
  title: detail !== '' && detailed.has(event) ? `${eventTitles[event]}: ${detail}` : eventTitles[event],
  details: [is_own ? 'by the person' : `by ${actor}`],
  tone: eventTones[event] ?? 'quiet',
});

export const entryText = (entry: TimelineEntry): EntryText => {
  if (entry.kind === 'sign_in') return signInText(entry);
  return entry.kind === 'mail' ? mailText(entry) : changeText(entry);
};
