import { z } from 'zod';
import { Id, NamedUser, Password } from '../fields.ts';
import { Role } from '../networks/networks.schemas.ts';
import { PersonName } from '../users/users.schemas.ts';

/** A person's own account, as they see and edit it. */
export const Profile = z.object({
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  /** Whether there is a password to change. People who signed up through a social login may have none. */
  has_password: z.boolean(),
  password_changed: z.iso.datetime().nullable(),
  /** The number of unused recovery codes. */
  recovery_codes: z.int(),
  /** Whether the server sends mail. Email codes cannot be turned on otherwise. */
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

/** A browser in which the person is signed in. */
export const Device = z.object({
  id: z.int(),
  ip_address: z.string(),
  user_agent: z.string(),
  /** How they signed in: `OpenSocial`, or the name of the social login. */
  login_from: z.string(),
  signed_in: z.iso.datetime(),
  last_seen: z.iso.datetime(),
  /** The applications that were opened in it. They are not notified when the browser is signed out remotely. */
  sites: z.array(z.string()),
  /** Whether this browser sends the request. */
  current: z.boolean(),
});
export type Device = z.infer<typeof Device>;

/** A network that the person belongs to. */
export const OwnNetwork = z.object({
  server: z.string(),
  role: Role,
  /** Whether it is their home network, whose rules apply to their password. */
  home: z.boolean(),
  /** Whether they are the only owner, who cannot leave the network. */
  last_owner: z.boolean(),
  joined: z.iso.datetime(),
});
export type OwnNetwork = z.infer<typeof OwnNetwork>;

/** A pending invitation to a network. */
export const Invitation = z.object({
  server: z.string(),
  /** Whether the invitation is to become an owner. */
  owner: z.boolean(),
  invited: z.iso.datetime(),
});
export type Invitation = z.infer<typeof Invitation>;

/** An account at another provider, such as Google, that can be used to sign in. */
export const LinkedLogin = z.object({
  id: z.int(),
  provider: z.string(),
  /** The provider's display name. */
  label: z.string(),
  linked: z.iso.datetime(),
  last_used: z.iso.datetime().nullable(),
});
export type LinkedLogin = z.infer<typeof LinkedLogin>;
