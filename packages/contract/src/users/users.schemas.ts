import { z } from 'zod';
import { Email, Flag, Id, NamedNetwork } from '../fields.ts';
import { SiteMode, SiteStatus } from '../sites/sites.state.schemas.ts';
import { basedOn, versioned } from '../versions.ts';

export const UserStatus = z.enum(['Confirmed', 'NonConfirmed']);
export type UserStatus = z.infer<typeof UserStatus>;

export const UserMode = z.enum(['Active', 'Disable']);
export type UserMode = z.infer<typeof UserMode>;

/** A link that accepts an invitation, for an owner to hand over. It is answered once: only its hash is stored. */
export const InvitationLink = z.object({ link: z.url(), expires: z.iso.datetime() });
export type InvitationLink = z.infer<typeof InvitationLink>;

const GroupRef = z.object({ id: z.int(), name: z.string() });

/** The second factors of a person. */
const Factors = z.array(z.enum(['passkey', 'totp', 'email']));

/**
 * A member as the lists and the panel show it. `signup_server` is the person's home network: only its owners, and those of the main
 * network, can lock the account. A person who has not accepted the invitation yet is shown with the data that this
 * network entered, even if they have an account.
 */
const Member = z.object({
  id: z.int(),
  uid: z.string(),
  email: z.string(),
  firstname: z.string(),
  lastname: z.string(),
  fullname: z.string(),
  status: UserStatus,
  user_mode: UserMode,
  bypass_inactivity: Flag,
  created: z.iso.datetime(),
  last_login: z.iso.datetime().nullable(),
  signup_server: z.string(),
});

/** A row of the users list. */
export const UserRow = Member.extend({
  /** Null if other networks rely on the account, so that this one may not see them, or if the invitation was not accepted yet. */
  factors: Factors.nullable(),
  /** The names of the first groups, and the number of all. */
  group_names: z.array(z.string()),
  group_count: z.int(),
});
export type UserRow = z.infer<typeof UserRow>;

/** A user as a member of one network. */
export const User = Member.extend({
  /** An empty string means no photo. */
  photoURL: z.string(),
  global_user: z.literal('local'),
  sso_server_id: z.int(),
  groups: z.array(GroupRef),
  /** Whether the person has not accepted the invitation yet. */
  invited: z.boolean(),
  ...versioned,
});
export type User = z.infer<typeof User>;

/**
 * Text that mail programs turn into a link: a scheme, `www.`, or a domain with a path. Titles and initials contain dots
 * too and are allowed.
 */
const webAddress = /:\/\/|www\.|[\p{L}\p{N}]\.[\p{L}\p{N}.-]+(?::\d+)?[/\\?#]/iu;
export const nameHasAddress = 'A name cannot contain a web address';

/**
 * A person's name, or a part of it. Other people can enter it, and our mails contain it, so it must not contain a link.
 */
export const PersonName = z
  .string()
  .trim()
  .max(100, 'Enter at most 100 characters')
  .regex(/^\P{Cc}*$/u, 'A name must not contain control characters')
  .refine((name) => !webAddress.test(name.normalize('NFKC')), nameHasAddress);

/** Name and groups of a new user. `signup_from` is the origin of the form and must equal our own. */
export const UserDraft = z.strictObject({
  email: Email,
  firstname: PersonName.min(1, 'The firstname field is required'),
  lastname: PersonName.min(1, 'The lastname field is required'),
  sso_server_id: Id,
  signup_from: z.string().max(500),
  signup_server: NamedNetwork,
  groups: z.array(z.object({ id: Id })).max(500),
});
export type UserDraft = z.input<typeof UserDraft>;

/** Only the names can be changed here. Other fields must be sent unchanged. */
export const UserChanges = z.strictObject({
  id: Id,
  ...basedOn,
  uid: z.string().max(64),
  firstname: PersonName.min(1, 'Firstname field is required'),
  lastname: PersonName.min(1, 'Lastname field is required'),
  fullname: z.string().max(250).optional(),
  status: UserStatus.optional(),
  user_mode: UserMode.optional(),
  global_user: z.literal('local').optional(),
  sso_server_id: Id,
  groups: z
    .array(z.object({ id: Id }))
    .max(500)
    .optional(),
});
export type UserChanges = z.input<typeof UserChanges>;

/** A bulk change sets either the mode or the status. */
export const UserChange = z.enum([...UserMode.options, ...UserStatus.options]);
export type UserChange = z.infer<typeof UserChange>;

export const SignupStatistics = z.object({ total: z.int(), confirmed: z.int(), non_confirmed: z.int() });
export type SignupStatistics = z.infer<typeof SignupStatistics>;

/** A group that a user is in; `id` is the id of the membership, which the call to remove it takes. */
export const UserGroup = z.object({
  id: z.int(),
  group_id: z.int(),
  group_name: z.string(),
  description: z.string(),
});
export type UserGroup = z.infer<typeof UserGroup>;

/** A site that a user may enter, or has visited. */
export const UserSite = z.object({
  id: z.int(),
  domain: z.string(),
  site_name: z.string(),
  site_mode: SiteMode,
  status: SiteStatus,
});
export type UserSite = z.infer<typeof UserSite>;

/** A user as listed in a site's panel. */
export const SiteUser = z.object({
  id: z.int(),
  name: z.string(),
  fullname: z.string(),
  email: z.string(),
  /** The site's groups that give the user access, comma-separated. */
  groups: z.string(),
  status: UserMode,
  /** When the user last tried to sign in to the site. */
  visited: z.iso.datetime().nullable(),
});
export type SiteUser = z.infer<typeof SiteUser>;

/** What a help desk does for a user. */
export const UserAction = z.enum([
  'invite',
  'copy_link',
  'send_reset',
  'unlock',
  'sign_out',
  'reset_factors',
  'disable',
  'enable',
]);
export type UserAction = z.infer<typeof UserAction>;

/**
 * Whether an action is possible, or why not. `not_needed`: there is nothing to do. `elsewhere`: the home network is another one. `shared`:
 * other networks rely on the account. `by_mail`: the link is only sent by mail. `no_mail`: there is no mail server.
 */
export const ActionState = z.enum([
  'possible',
  'not_needed',
  'self',
  'elsewhere',
  'shared',
  'inactive',
  'by_mail',
  'no_mail',
]);
export type ActionState = z.infer<typeof ActionState>;

/** A member's sessions and second factors, as far as an owner of the network may see them. */
export const UserSecurity = z.object({
  sessions: z.array(
    z.object({
      id: z.int(),
      ip_address: z.string(),
      user_agent: z.string(),
      signed_in: z.iso.datetime(),
      last_seen: z.iso.datetime(),
      /** The applications of this network that were opened in the session. */
      sites: z.array(z.string()),
    }),
  ),
  /** Whether ending the sessions signs the user out everywhere, or only from this network. */
  everywhere: z.boolean(),
  /** The second factors; empty for owners who may not reset them. */
  factors: Factors,
  /** The numbers of passkeys and of unused recovery codes; 0 for owners who may not see the second factors. */
  passkeys: z.int(),
  recovery_codes: z.int(),
  may_reset: z.boolean(),
  /** Until when the account is locked after failed attempts; null if it is not, or for owners who may not see it. */
  locked_until: z.iso.datetime().nullable(),
  /** The number of sites that the user may enter, up to a limit. */
  sites: z.int(),
  more_sites: z.boolean(),
  /** Whether the service sends mail. */
  sends_mail: z.boolean(),
  /** Whether the account was activated by a copied link, so that its address is not confirmed. */
  address_unproven: z.boolean(),
  actions: z.record(UserAction, ActionState),
});
export type UserSecurity = z.infer<typeof UserSecurity>;

/** A line of an import file: names may be empty, groups are given by name. */
export const ImportRow = z.strictObject({
  email: z.string().max(320),
  firstname: z.string().max(200),
  lastname: z.string().max(200),
  groups: z.array(z.string().max(200)).max(50),
});
export type ImportRow = z.infer<typeof ImportRow>;

/** The outcome of a line, or its preview. */
export const ImportOutcome = z.object({
  outcome: z.enum(['create', 'update', 'unchanged', 'refused']),
  /** Why the line is refused, or what changes. */
  detail: z.string(),
});
export type ImportOutcome = z.infer<typeof ImportOutcome>;
