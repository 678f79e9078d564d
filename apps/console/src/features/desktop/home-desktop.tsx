import { useSessionUser } from '../../api/session.ts';
import { Desktop } from './desktop.tsx';

/** SPEC 2.1: the desktop of the default network. */
export function HomeDesktop() {
  const user = useSessionUser();
  return <Desktop user={user} network={{ id: user.server_id, name: user.default_server }} />;
}
