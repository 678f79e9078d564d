import { sql } from 'drizzle-orm';
import { users } from '../database/schema.ts';
import { mainNetworkName } from './membership.ts';

/**
 * The earliest last use and the earliest sign-in of a session that may still be valid in some network. Each network sets its own
 * limits. These two only find the sessions that have expired in all networks; `readSession` and the sign-on apply the limits of the
 * network in question.
 */
export const idleLimit = sql`now() - make_interval(mins => (select max(session_idle_minutes) from network_settings))`;
export const ageLimit = sql`now() - make_interval(hours => (select max(session_hours) from network_settings))`;

/**
 * The console is a site of the main network and open to the members of all networks. The stricter limit of two networks applies to a
 * session there: the main network and the person's home network. For queries that join `users`.
 */
const consoleLimit = (column: 'session_idle_minutes' | 'session_hours') => sql`(
  select min(limits.${sql.identifier(column)}) from network_settings limits join networks ruling on ruling.id = limits.network_id
  where ruling.id = ${users.home_network_id} or ruling.name = ${mainNetworkName})`;
export const consoleIdleMinutes = consoleLimit('session_idle_minutes');
export const consoleHours = consoleLimit('session_hours');
