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
  /** Why the sign-in succeeded or failed. */
  reason: z.string(),
});
export type LogLine = z.infer<typeof LogLine>;

export const LogPage = page('logs', LogLine, 'all_logs');

/** A line with all its details. */
export const LineDetails = LogLine.extend({
  /** The site, or null once it has been removed. */
  site_id: z.int().nullable(),
  /** The present name of the site; empty once it has been removed. */
  site_name: z.string(),
  /** The user, or null if they are no longer in the network. */
  user_id: z.int().nullable(),
  fullname: z.string(),
  user_agent: z.string(),
  /** The second factor that was used, or that the user failed to provide; empty if none was asked for. */
  mfa: z.string(),
  /** The country of the IP address; empty if unknown. */
  country: z.string(),
  /** The state of the session that this sign-in started or used. */
  session: z.enum(['open', 'ended', 'none']),
  /** Whether that session belongs to the browser that sends this request. */
  is_this_browser: z.boolean(),
});
export type LineDetails = z.infer<typeof LineDetails>;
