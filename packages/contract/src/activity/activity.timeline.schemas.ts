import { z } from 'zod';
import { LoginStatus } from './activity.schemas.ts';

export const TimelineKind = z.enum(['sign_in', 'mail', 'security', 'change']);
export type TimelineKind = z.infer<typeof TimelineKind>;

/** The kinds of mails to people that are recorded. */
export const PersonMailKind = z.enum([
  'invitation',
  'sign_up',
  'confirmation',
  'reset',
  'reset_by_owner',
  'code',
  'confirmation_code',
  'new_device',
  'password_changed',
  'factor_changed',
  'passkey_changed',
  'login_changed',
  'signed_out',
  'factors_reset',
  'disabled',
  'enabled',
  'unlocked',
]);
export type PersonMailKind = z.infer<typeof PersonMailKind>;

/** What an audit record about a person says, in one word. `changed` is anything else. */
export const PersonEvent = z.enum([
  'invited',
  'invited_again',
  'link_copied',
  'accepted',
  'declined',
  'left',
  'renamed',
  'confirmed',
  'unconfirmed',
  'enabled',
  'disabled',
  'unlocked',
  'never_disable',
  'may_disable',
  'group_added',
  'group_removed',
  'owner_added',
  'owner_removed',
  'desktop_viewed',
  'visit_removed',
  'removed',
  'restored',
  'deleted',
  'recovered',
  'reset_sent',
  'signed_out',
  'factors_reset',
  'own_name',
  'own_address',
  'own_password',
  'own_authenticator',
  'own_recovery_codes',
  'own_email_codes',
  'own_passkeys',
  'own_login',
  'changed',
]);
export type PersonEvent = z.infer<typeof PersonEvent>;

const at = z.iso.datetime();

const TimelineSignIn = z.object({
  kind: z.literal('sign_in'),
  id: z.int(),
  at,
  login_status: LoginStatus,
  /** Empty where the reason is not shown: see `is_brief`. */
  reason: z.string(),
  site: z.string(),
  /** A sign-in to the console. It has no line in the log of this network, unless this is the main network. */
  is_console: z.boolean(),
  /** Only the result is shown, because other networks rely on the account. */
  is_brief: z.boolean(),
  ip_address: z.string(),
  user_agent: z.string(),
  /** The second factor that was used, or that the user failed to provide; empty if none was asked for. */
  mfa: z.string(),
});

const TimelineMail = z.object({
  kind: z.literal('mail'),
  id: z.int(),
  at,
  mail: PersonMailKind,
  /** `stored`: the service has no mail server, so nobody got the mail. */
  outcome: z.enum(['queued', 'sent', 'failed', 'stored']),
  /** `open`: the link still works. `ended`: it has expired, or another one replaced it. */
  link: z.enum(['none', 'open', 'used', 'ended']),
  link_used_at: at.nullable(),
});

const TimelineChange = z.object({
  kind: z.enum(['security', 'change']),
  id: z.int(),
  at,
  event: PersonEvent,
  /** What the event is about, such as the name of a group; may be empty. */
  detail: z.string(),
  /** Who did it. */
  actor: z.string(),
  /** Whether the person did it. */
  is_own: z.boolean(),
});

export const TimelineEntry = z.discriminatedUnion('kind', [TimelineSignIn, TimelineMail, TimelineChange]);
export type TimelineEntry = z.infer<typeof TimelineEntry>;

/** The position after an entry: its time with microseconds, its source and its id. */
export const TimelineCursor = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00~(?:sign_in|mail|change)~\d{1,15}$/);

export const Timeline = z.object({
  entries: z.array(TimelineEntry),
  /** The cursor of the next page; null on the last page. */
  next: TimelineCursor.nullable(),
});
export type Timeline = z.infer<typeof Timeline>;
