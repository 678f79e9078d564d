import { siteLabel, type TemplateKind, templateTitles } from '@opensocial/contract';
import type { AuditedObject } from './audit.fields.ts';
import type { Names } from './audit.names.queries.ts';
import { nameOf } from './audit.values.ts';

type Values = Readonly<Record<string, unknown>>;

/** A record, with the values before and after the change together. */
export type Titled = { action: string; description: string; subject_key: string | null; before: Values; after: Values };

type Told = Titled & { names: Names; data: Values };

/** The beginning of a description, and the sentence for it. The text in the brackets of the pattern is the third argument. */
type Title = readonly [pattern: RegExp, say: (told: Told, subject: string) => string];

const verbs: Readonly<Record<string, string>> = {
  create: 'Added',
  update: 'Changed',
  delete: 'Deleted',
  restore: 'Restored',
};

const verbOf = ({ action }: Told): string => verbs[action] ?? 'Changed';

const stored = ({ data }: Told, key: string): string | undefined =>
  typeof data[key] === 'string' && data[key] !== '' ? data[key] : undefined;

const nouns = { group: 'the group ', user: '', site: 'the site ' };

/** A group, person or site: by the name that was recorded, or by the name that it has now. */
const referred = (told: Told, kind: keyof typeof nouns): string => {
  const id = told.data[`${kind}_id`];
  const name = stored(told, kind) ?? told.names[kind].get(String(id));
  return name === undefined ? nameOf(kind, id, told.names) : `${nouns[kind]}${name}`;
};

const siteOf = (told: Told, domain: string): string => {
  const current = told.names.site.get(told.subject_key?.replace(/^site:/, '') ?? '');
  const name = stored(told, 'site_name');
  return current ?? (name === undefined ? domain : siteLabel({ site_name: name, domain }));
};

const decisionTitles: Readonly<Record<string, string>> = {
  'accepted the invitation': 'accepted the invitation',
  'declined the invitation': 'declined the invitation',
  'left the network': 'left the network',
};

const userTitle = (told: Told, email: string): string => {
  const { action, after } = told;
  const decision = decisionTitles[String(after['decision'])];
  if (decision !== undefined) return `${email} ${decision}`;
  if (action === 'create') return `Invited ${email}`;
  if (action === 'delete') return `Removed ${email} from the network`;
  if (action === 'restore') return `Restored ${email}`;
  if (after['unlocked'] === true) return `Unlocked ${email}`;
  if (after['user_mode'] !== undefined) return `${after['user_mode'] === 'Active' ? 'Enabled' : 'Disabled'} ${email}`;
  if (after['status'] !== undefined)
    return `Marked ${email} as ${after['status'] === 'Confirmed' ? 'confirmed' : 'not confirmed'}`;
  return `Changed ${email}`;
};

const keyTitle = (told: Told): string => {
  const { action, after } = told;
  if (action === 'create') return 'Added the next signing key';
  if (action === 'delete') return 'Deleted a signing key';
  if ('tried_until' in after)
    return after['tried_until'] === null ? 'Stopped trying the next signing key' : 'Tried the next signing key';
  if ('signing_key' in after) return `Switched ${String(after['site'])} to another signing key`;
  return after['state'] === 'retired' ? 'Retired a signing key' : 'Switched all sites to another signing key';
};

const passkeyIn = ({ name }: Values): string | undefined => (typeof name === 'string' ? name : undefined);

const passkeyTitle = ({ before, after }: Told): string => {
  const [former, present] = [passkeyIn(before), passkeyIn(after)];
  if (former === undefined) return `Added the passkey ${present ?? ''}`;
  return present === undefined ? `Removed the passkey ${former}` : `Renamed the passkey ${former} to ${present}`;
};

const imageOf = (told: Told): string =>
  stored(told, 'title') ?? stored(told, 'file_name') ?? stored(told, 'label') ?? 'without a name';

const templateTitle = ({ after }: Told, kind: string): string => {
  const name = templateTitles[kind as TemplateKind] ?? kind;
  if (after['in_use'] === undefined) return `Changed the email template ${name}`;
  return `Switched the email template ${name} ${after['in_use'] === true ? 'on' : 'off'}`;
};

/** The sentences about each kind of object. The first pattern that matches decides. */
const titles: Readonly<Record<AuditedObject, readonly Title[]>> = {
  site: [
    [/^delete site (.+) from the trash$/, (_, label) => `Deleted the site ${label} permanently`],
    [/^\w+ site (.+)$/, (told, domain) => `${verbOf(told)} the site ${siteOf(told, domain)}`],
  ],
  group: [
    [/^create user of a group$/, (told) => `Added ${referred(told, 'user')} to ${referred(told, 'group')}`],
    [/^delete user of a group$/, (told) => `Removed ${referred(told, 'user')} from ${referred(told, 'group')}`],
    [/^create site of a group$/, (told) => `Assigned ${referred(told, 'site')} to ${referred(told, 'group')}`],
    [/^delete site of a group$/, (told) => `Removed ${referred(told, 'site')} from ${referred(told, 'group')}`],
    [/^delete group (.+) from the trash$/, (_, label) => `Deleted the group ${label} permanently`],
    [/^\w+ group (.+)$/, (told, name) => `${verbOf(told)} the group ${name}`],
  ],
  user: [
    [/^delete user (.+) from the trash$/, (_, label) => `Deleted ${label} permanently`],
    [
      /^create user (\S+) in groups$/,
      ({ data }, email) => `Added ${email} to ${Array.isArray(data['groups']) ? data['groups'].join(', ') : 'groups'}`,
    ],
    [/^view user (\S+) desktop$/, (_, email) => `Viewed the desktop of ${email}`],
    [/^update user (\S+) password link$/, (_, email) => `Sent ${email} a link for a new password`],
    [/^delete user (\S+) sessions$/, (_, email) => `Signed out ${email}`],
    [/^delete user (\S+) second factors$/, (_, email) => `Reset the second factors of ${email}`],
    [
      /^update user (\S+) recovery$/,
      (_, email) => `Made a link for a new password of ${email} and removed second factors`,
    ],
    [/^update invitation of (\S+)$/, (_, email) => `Invited ${email} again`],
    [/^view invitation of (\S+)$/, (_, email) => `Made a link of the invitation of ${email}`],
    [
      /^delete visit of a user to a site$/,
      (told) => `Removed ${referred(told, 'site')} from the desktop of ${referred(told, 'user')}`,
    ],
    [/^\w+ user (\S+)$/, userTitle],
  ],
  owner: [
    [/^create owner$/, (told) => `Made ${stored(told, 'owner') ?? ''} an owner`],
    [/^delete owner$/, (told) => `Removed ${stored(told, 'owner') ?? ''} from the owners`],
  ],
  settings: [[/^\w+ settings of /, () => 'Changed the settings']],
  network: [
    [/^create network$/, () => 'Created the network'],
    [/^update network mode$/, () => 'Changed the mode of the network'],
    [/^\w+ network signing key$/, keyTitle],
  ],
  desktop: [[/^update desktop$/, () => 'Arranged the desktop']],
  template: [[/^update email template (\w+)$/, templateTitle]],
  image: [
    [/^delete image from the trash$/, (told) => `Deleted the image ${imageOf(told)} permanently`],
    [/^\w+ image$/, (told) => `${verbOf(told)} the image ${imageOf(told)}`],
  ],
  profile: [
    [/^update own name$/, () => 'Changed their own name'],
    [/^update own address$/, () => 'Confirmed their address by a mailed link'],
    [/^update own password$/, () => 'Changed their own password'],
    [/^update own authenticator$/, () => 'Changed their authenticator app'],
    [/^update own recovery codes$/, () => 'Created new recovery codes'],
    [/^update own email MFA$/, () => 'Switched email codes on or off'],
    [/^update own passkeys$/, passkeyTitle],
    [/^update own linked login$/, () => 'Unlinked one of their logins'],
  ],
  other: [
    [/^update (\w+) key for OpenID Connect$/, (_, algorithm) => `Replaced the ${algorithm} key for OpenID Connect`],
    [/^delete audit records$/, () => 'Deleted old records of changes'],
  ],
};

/** Describes a change in a sentence. A description that is not known any more is shown as it was recorded. */
export const titleOf = (object: AuditedObject, record: Titled, names: Names): string => {
  const told = { ...record, names, data: { ...record.before, ...record.after } };
  for (const [pattern, say] of titles[object]) {
    const found = pattern.exec(record.description);
    if (found) return say(told, found[1] ?? '');
  }
  return record.description;
};
