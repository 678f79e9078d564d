import { z } from 'zod';
import { page } from '../paging.ts';

export const LoginStatus = z.enum(['Success', 'Failed']);
export type LoginStatus = z.infer<typeof LoginStatus>;

/** A line of the login log. */
export const LogLine = z.object({
  id: z.int(),
  login_status: LoginStatus,
  email: z.string(),
  site: z.string(),
  ip_address: z.string(),
  login_time: z.iso.datetime(),
  last_login: z.iso.datetime(),
  /** Why it went as it did. */
  reason: z.string(),
});
export type LogLine = z.infer<typeof LogLine>;

export const LogPage = page('logs', LogLine, 'all_logs');

/** A line with all that is known of it. */
export const LineDetails = LogLine.extend({
  /** The site, while it is there. */
  site_id: z.int().nullable(),
  /** The user, while they are in the network. */
  user_id: z.int().nullable(),
  fullname: z.string(),
  user_agent: z.string(),
  /** The second factor that was proven, or asked for in vain; empty for none. */
  mfa: z.string(),
  /** Where the address is; empty where nobody knows. */
  country: z.string(),
  /** What became of the session that the line began or used. */
  session: z.enum(['open', 'ended', 'none']),
  /** Whether that session is the one that asks. */
  is_this_browser: z.boolean(),
});
export type LineDetails = z.infer<typeof LineDetails>;
