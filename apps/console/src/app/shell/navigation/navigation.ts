import type { SessionUser } from '@opensocial/contract';
import {
  type Icon,
  IconActivity,
  IconAdjustmentsHorizontal,
  IconLayoutDashboard,
  IconLayoutGrid,
  IconMailCog,
  IconSettings,
  IconShieldCheck,
  IconTopologyStar3,
  IconTrash,
  IconUserCircle,
  IconUsers,
  IconUsersGroup,
  IconWorldWww,
} from '@tabler/icons-react';
import { toNetworkDesktop } from '../../../api/links/network-links.ts';
import { toSettings, toSites, toTemplates, toTrash, toUserDesktop } from '../../../api/links/panel-links.ts';
import { toActivity } from '../../../features/activity/activity.links.ts';
import { toHome } from '../../../features/desktop/desktop.links.ts';
import { toGroups } from '../../../features/groups/groups.links.ts';
import { toNetworks } from '../../../features/networks/networks.links.ts';
import { toOverview } from '../../../features/overview/overview.links.ts';
import { toOwners } from '../../../features/owners/owners.links.ts';
import { toProfile } from '../../../features/profile/profile.links.ts';
import { toUsers } from '../../../features/users/users.links.ts';

export type NavigationEntry = {
  label: string;
  icon: Icon;
  to: (user: SessionUser) => string;
  /** Only administrators of the network see it. */
  adminOnly?: true;
};

/** The desktop of the selected network. The home page shows the desktop of the default network. */
const toDesktop = ({ selected_id, server_id, selected_server }: SessionUser): string =>
  selected_id === server_id ? toHome() : toNetworkDesktop(selected_server);

/** A screen of the selected network for its administrators. */
const adminScreen = (label: string, icon: Icon, to: (network: string) => string): NavigationEntry => ({
  label,
  icon,
  to: ({ selected_server }) => to(selected_server),
  adminOnly: true,
});

/** §2.2, left menu, in this order. */
const navigation: readonly NavigationEntry[] = [
  adminScreen('Overview', IconLayoutDashboard, toOverview),
  { label: 'Desktop', icon: IconLayoutGrid, to: toDesktop },
  adminScreen('Sites', IconWorldWww, toSites),
  adminScreen('Users', IconUsers, toUsers),
  adminScreen('Groups', IconUsersGroup, toGroups),
  adminScreen('Desktop Config', IconAdjustmentsHorizontal, toUserDesktop),
  { label: 'Activity', icon: IconActivity, to: toActivity },
  adminScreen('Server Admins', IconShieldCheck, toOwners),
  adminScreen('Server Settings', IconSettings, toSettings),
  adminScreen('Email Templates', IconMailCog, toTemplates),
  { label: 'OpenSocial Networks', icon: IconTopologyStar3, to: toNetworks },
  { label: 'Profile', icon: IconUserCircle, to: toProfile },
  adminScreen('Trash', IconTrash, toTrash),
];

/** §2.2, left menu: the entries depend on the role. */
export const menuEntriesFor = (
  administers: boolean,
  entries: readonly NavigationEntry[] = navigation,
): readonly NavigationEntry[] => entries.filter(({ adminOnly }) => administers || !adminOnly);
