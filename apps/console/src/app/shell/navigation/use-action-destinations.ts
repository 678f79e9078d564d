import {
  IconBook,
  IconKey,
  IconPlugConnected,
  IconSettings,
  IconUserPlus,
  IconUserQuestion,
} from '@tabler/icons-react';
import { toConnect, toSettings } from '../../../api/links/panel-links.ts';
import { useSessionUser } from '../../../api/session/session.ts';
import { toActivity } from '../../../features/activity/activity.links.ts';
import { toHelp } from '../../../features/help/help.links.ts';
import { toProfile } from '../../../features/profile/profile.links.ts';
import { settingsKeywords } from '../../../features/settings/settings-keywords.ts';
import { sectionIds, settingsSections } from '../../../features/settings/settings-sections.ts';
import { toNewUser } from '../../../features/users/users.links.ts';
import { beginsOne, type Destination, includesText } from './use-destinations.ts';
import { useIsNetworkAdmin } from './use-is-network-admin.ts';

type Action = Destination & { keywords?: readonly string[] };

/** What a person can do, and the sections of the settings, whose name contains the search text, or that are also called so. */
export const useActionDestinations = (search: string): readonly Destination[] => {
  const { selected_server: network } = useSessionUser();
  const administers = useIsNetworkAdmin(network);
  const wanted = search.trim();
  const own: Action[] = [
    { to: `${toProfile()}#password`, label: 'Change my password', hint: '', icon: IconKey },
    {
      to: `${toProfile()}#second-factor`,
      label: 'Set up a second factor',
      hint: '',
      icon: IconKey,
      keywords: ['mfa', '2fa', 'totp', 'passkey'],
    },
  ];
  const ofOwner: Action[] = [
    { to: toConnect(network), label: 'Connect an application', hint: network, icon: IconPlugConnected },
    { to: toNewUser(network), label: 'Invite a user', hint: network, icon: IconUserPlus },
    {
      to: toActivity(),
      label: 'Why somebody could not sign in',
      hint: 'Activity',
      icon: IconUserQuestion,
      keywords: ['reference', 'error', 'failed', 'failure', 'log'],
    },
    {
      to: toHelp(),
      label: 'Guide for owners',
      hint: 'Help',
      icon: IconBook,
      keywords: ['manual', 'documentation', 'backup', 'smtp', 'mail server'],
    },
    ...sectionIds.map((id) => ({
      to: `${toSettings(network)}#${id}`,
      label: settingsSections[id],
      hint: 'Server Settings',
      icon: IconSettings,
      keywords: settingsKeywords[id],
    })),
  ];
  // Without a text the dialog shows the screens only.
  if (wanted === '') return [];
  return [...(administers ? ofOwner : []), ...own]
    .filter(({ label, keywords = [] }) => includesText(label, wanted) || beginsOne(keywords, wanted))
    .map(({ keywords: _keywords, ...destination }) => destination);
};
