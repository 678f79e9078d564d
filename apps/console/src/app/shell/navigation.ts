import type { SessionUser } from '@opensocial/contract';
import {
  type Icon,
  IconLayoutGrid,
  IconSettings,
  IconShieldCheck,
  IconTopologyStar3,
  IconUsers,
  IconUsersGroup,
  IconWorldWww,
} from '@tabler/icons-react';
import { toNetworkDesktop } from '../../api/networks.ts';
import { toHome } from '../../features/desktop/desktop.routes.tsx';
import { toGroups } from '../../features/groups/groups.routes.tsx';
import { toNetworks } from '../../features/networks/networks.routes.tsx';
import { toOwners } from '../../features/owners/owners.routes.tsx';
import { toSettings } from '../../features/settings/settings.routes.tsx';
import { toSites } from '../../features/sites/sites.routes.tsx';
import { toUsers } from '../../features/users/users.routes.tsx';

export type NavigationEntry = {
  label: string;
  icon: Icon;
  to: (user: SessionUser) => string;
  /** Shown to administrators of the network only. */
  adminOnly?: true;
};

/** The desktop of the selected network; home is the default one's. */
const toDesktop = ({ selected_id, server_id, selected_server }: SessionUser): string =>
  selected_id === server_id ? toHome() : toNetworkDesktop(selected_server);

/** SPEC 2.2, left menu, in its order. An entry comes with its screen. */
const navigation: readonly NavigationEntry[] = [
  { label: 'Desktop', icon: IconLayoutGrid, to: toDesktop },
  {
    label: 'Sites',
    icon: IconWorldWww,
    to: ({ selected_server }) => toSites(selected_server),
    adminOnly: true,
  },
  {
    label: 'Users',
    icon: IconUsers,
    to: ({ selected_server }) => toUsers(selected_server),
    adminOnly: true,
  },
  {
    label: 'Groups',
    icon: IconUsersGroup,
    to: ({ selected_server }) => toGroups(selected_server),
    adminOnly: true,
  },
  {
    label: 'Server Admins',
    icon: IconShieldCheck,
    to: ({ selected_server }) => toOwners(selected_server),
    adminOnly: true,
  },
  {
    label: 'Server Settings',
    icon: IconSettings,
    to: ({ selected_server }) => toSettings(selected_server),
    adminOnly: true,
  },
  { label: 'OpenSocial Networks', icon: IconTopologyStar3, to: toNetworks },
];

/** DESIGN 7, left menu by role. */
export const entriesFor = (
  administers: boolean,
  entries: readonly NavigationEntry[] = navigation,
): readonly NavigationEntry[] => entries.filter(({ adminOnly }) => administers || !adminOnly);
