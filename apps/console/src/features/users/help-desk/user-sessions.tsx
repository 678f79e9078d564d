import type { User } from '@opensocial/contract';
import { useQuery } from '@tanstack/react-query';
import { useAdminNetwork } from '../../../api/session/admin-network.ts';
import { browserName } from '../../../patterns/browser-name/browser-name.ts';
import { Fold } from '../../../patterns/fold/fold.tsx';
import form from '../../../patterns/form/form.module.css';
import { fullTime, listOf } from '../../../patterns/format/format.ts';
import { sessionsText } from './account-state.ts';
import { userSecurityQuery } from './help-desk.api.ts';
import classes from './help-desk.module.css';

type UserSessionsProps = { user: User };

/** Where a person is signed in. The summary above says so if this cannot be loaded. */
export function UserSessions({ user }: UserSessionsProps) {
  const network = useAdminNetwork();
  const { data: security } = useQuery(userSecurityQuery(network, user.id));
  if (!security) return null;
  return (
    <Fold title="Devices and sessions">
      {security.sessions.length === 0 ? (
        <p className={form.hint}>{sessionsText(security, network.name)}.</p>
      ) : (
        <ul className={classes.sessions}>
          {security.sessions.map(({ id, user_agent, ip_address, signed_in, last_seen, sites }) => (
            <li key={id}>
              <strong>{browserName(user_agent)}</strong>
              <span className={form.hint}>
                {[
                  ip_address,
                  `signed in ${fullTime(signed_in)}`,
                  `last used ${fullTime(last_seen)}`,
                  ...(sites.length > 0 ? [listOf(sites)] : []),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Fold>
  );
}
