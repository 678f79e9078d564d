import { z } from 'zod';
import { Flag } from '../fields.ts';

/** The signed-in user as the console sees it. */
export const SessionUser = z.object({
  id: z.int(),
  name: z.string(),
  username: z.string(),
  uid: z.string(),
  is_admin: z.boolean(),
  photoURL: z.string(),
  default_server: z.string(),
  server_id: z.int(),
  selected_server: z.string(),
  selected_id: z.int(),
  sso_id: z.string(),
  mfa_email: z.string(),
  enable_email_mfa: Flag,
  last_login_from: z.string(),
  /** For an owner without a second factor: when signing in starts to require one. Null for everybody else. */
  mfa_due: z.iso.datetime().nullable(),
});
export type SessionUser = z.infer<typeof SessionUser>;

export const Session = z.object({
  user: z.union([SessionUser, z.literal('no session')]),
  /** The CSRF token, for browsers that do not send Sec-Fetch-Site. */
  csrf: z.string(),
});
export type Session = z.infer<typeof Session>;

/**
 * The request header in which the console names the person whom it shows. A call is refused with `other_person` if the session
 * belongs to somebody else, for instance because that person has signed in in another tab.
 */
export const sessionUserHeader = 'x-session-user';
