import { searchMinimum } from '@opensocial/contract';
import { type Icon, IconBuilding, IconChartLine, IconInfoCircle, IconRulerMeasure } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { toNetworkDesktop } from '../../../api/links/network-links.ts';
import { useSessionUser } from '../../../api/session/session.ts';
import { toAbout } from '../../../features/about/about.links.ts';
import { embeddedPagesQuery } from '../../../features/embedded/embedded.api.ts';
import { toDesigner, toReport } from '../../../features/embedded/embedded.links.ts';
import { networksQuery } from '../../../features/networks/networks.api.ts';
import { effectiveSearch } from '../../../patterns/record-list/model/use-list-view.ts';
import { menuEntriesFor } from './navigation.ts';
import { screenKeywords } from './screen-keywords.ts';
import { useIsNetworkAdmin } from './use-is-network-admin.ts';

export type Destination = { to: string; label: string; hint: string; icon: Icon };

/** The number of results that the dialog shows. */
const maxResults = 50;

const moreNote = (shown: number): string => `Showing the first ${shown}. Type to narrow the list.`;

export const includesText = (text: string, search: string): boolean =>
  text.toLocaleLowerCase().includes(search.toLocaleLowerCase());

export const beginsOne = (keywords: readonly string[], search: string): boolean => {
  const wanted = search.toLocaleLowerCase();
  return wanted.length >= searchMinimum && keywords.some((keyword) => keyword.startsWith(wanted));
};

/** The networks of the user whose name contains the search text. */
export const useNetworkDestinations = (search: string) => {
  const user = useSessionUser();
  const found = useInfiniteQuery(networksQuery(user, effectiveSearch(search)));
  const { rows = [], total = 0 } = found.data?.pages[0] ?? {};
  const matches = rows.filter(({ url }) => includesText(url, search.trim()));
  const destinations = matches.slice(0, maxResults).map(({ id, url, role }): Destination => {
    const hints = [
      id === user.selected_id && 'Selected',
      id === user.server_id && 'Default',
      role === 'admin' && 'Owner',
    ];
    return { to: toNetworkDesktop(url), label: url, hint: hints.filter(Boolean).join(' · '), icon: IconBuilding };
  });
  // The server may know more matches than the first page shows.
  const hasMore = matches.length > maxResults || total > rows.length;
  const note = hasMore && destinations.length > 0 ? moreNote(destinations.length) : undefined;
  return { destinations, isPending: found.isPending, note };
};

/** The screens whose name contains the search text, or that are also called so. */
export const useScreenDestinations = (search: string): readonly Destination[] => {
  const user = useSessionUser();
  const administers = useIsNetworkAdmin(user.selected_server);
  const { report_url = '', designer_url = '' } = useQuery(embeddedPagesQuery).data ?? {};
  const screens: readonly (Omit<Destination, 'hint'> & { absent?: boolean })[] = [
    ...menuEntriesFor(administers).map(({ label, icon, to }) => ({ to: to(user), label, icon })),
    { to: toReport(), label: 'Report', icon: IconChartLine, absent: report_url === '' },
    { to: toDesigner(), label: 'Designer', icon: IconRulerMeasure, absent: designer_url === '' },
    { to: toAbout(), label: 'About', icon: IconInfoCircle },
  ];
  return screens
    .filter(
      ({ label, absent }) =>
        !absent && (includesText(label, search.trim()) || beginsOne(screenKeywords[label] ?? [], search.trim())),
    )
    .map(({ to, label, icon }) => ({ to, label, icon, hint: '' }));
};
