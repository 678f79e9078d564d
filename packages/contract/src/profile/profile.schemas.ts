import { z } from 'zod';
import { Id, NamedUser, Password } from '../fields.ts';
import { Role } from '../networks/networks.schemas.ts';
import { PersonName } from '../users/users.schemas.ts';

/** What people see and change of their own account. */
export const Profile = z.object({
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  /** Whether there is a password to change: whoever came by a social login may have none. */
  has_password: z.boolean(),
  password_changed: z.iso.datetime().nullable(),
  /** Codes to write down that are not used yet. */
  recovery_codes: z.int(),
  /** Whether mail leaves the server: email codes cannot be switched on while it does not. */
  sends_mail: z.boolean(),
});
export type Profile = z.infer<typeof Profile>;

export const NameChanges = z.strictObject({
  id: Id,
  email: NamedUser,
  first_name: PersonName.min(1, 'Firstname is required'),
  last_name: PersonName.min(1, 'Lastname is required'),
});
export type NameChanges = z.infer<typeof NameChanges>;

export const PasswordChange = z.strictObject({ email: NamedUser, current_password: Password, password: Password });

const megabyte = 1024 * 1024;

export const profilePictureUpload = { field: 'file', maximumBytes: 5 * megabyte } as const;

/** A browser in which somebody is signed in. */
export const Device = z.object({
  id: z.int(),
  ip_address: z.string(),
  user_agent: z.string(),
  /** How they signed in: `OpenSocial`, or the social login's name. */
  login_from: z.string(),
  signed_in: z.iso.datetime(),
  last_seen: z.iso.datetime(),
  /** The applications that were opened in it. Signed out from elsewhere, they are not told. */
  sites: z.array(z.string()),
  /** The one that asks. */
  current: z.boolean(),
});
export type Device = z.infer<typeof Device>;

/** A network that somebody belongs to, as they see it on their profile. */
export const OwnNetwork = z.object({
  server: z.string(),
  role: Role,
  /** Whether it is their home network: the one whose rules their password follows. */
  home: z.boolean(),
  /** Whether they are its only owner, who cannot leave it. */
  last_owner: z.boolean(),
  joined: z.iso.datetime(),
});
export type OwnNetwork = z.infer<typeof OwnNetwork>;

/** An invitation to a network that waits for an answer. */
export const Invitation = z.object({
  server: z.string(),
  /** Whether it is to administer the network. */
  owner: z.boolean(),
  invited: z.iso.datetime(),
});
export type Invitation = z.infer<typeof Invitation>;

/** Another login by which somebody may come in, at a provider such as Google. */
export const LinkedLogin = z.object({
  id: z.int(),
  provider: z.string(),
  /** As people know the provider. */
  label: z.string(),
  linked: z.iso.datetime(),
  last_used: z.iso.datetime().nullable(),
});
export type LinkedLogin = z.infer<typeof LinkedLogin>;
