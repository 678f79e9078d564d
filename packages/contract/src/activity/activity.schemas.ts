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
