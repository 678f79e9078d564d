import { siteTitle } from '@opensocial/contract';
import { type Icon, IconUser, IconUsersGroup, IconWorldWww } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { toSiteDetails, toUserDetails } from '../../../api/links/panel-links.ts';
import { useSessionUser } from '../../../api/session/session.ts';
import { groupsQuery } from '../../../features/groups/groups.api.ts';
import { toGroupDetails } from '../../../features/groups/groups.links.ts';
import { sitesQuery } from '../../../features/sites/sites.api.ts';
import { usersQuery } from '../../../features/users/users.api.ts';
import { effectiveSearch } from '../../../patterns/record-list/model/use-list-view.ts';
import type { Destination } from './use-destinations.ts';
import { useIsNetworkAdmin } from './use-is-network-admin.ts';

/** The number of people, sites and groups that the dialog shows of each. */
const most = 6;

type Found<Row> = { data?: { pages: readonly { rows: readonly Row[] }[] } | undefined };

const firstOf = <Row>(found: Found<Row>, icon: Icon, describe: (row: Row) => Omit<Destination, 'icon'>) =>
  (found.data?.pages[0]?.rows ?? []).slice(0, most).map((row): Destination => ({ ...describe(row), icon }));

/** The people, sites and groups of the selected network that the search finds. Only its administrators may search them. */
export const useRecordDestinations = (typed: string) => {
  const { selected_id: id, selected_server: name } = useSessionUser();
  const search = effectiveSearch(typed);
  const enabled = useIsNetworkAdmin(name) && search !== '';
  const network = { id, name };
  const view = { search, filters: {} };
  const people = useInfiniteQuery({ ...usersQuery(network, view), enabled });
  const sites = useInfiniteQuery({ ...sitesQuery(network, view), enabled });
  const groups = useInfiniteQuery({ ...groupsQuery(network, search), enabled });
  return {
    isPending: [people, sites, groups].some(({ isLoading }) => isLoading),
    groups: [
      {
        label: 'People',
        destinations: firstOf(people, IconUser, (user) => ({
          to: toUserDetails(name, user.id),
          label: user.fullname || user.email,
          hint: user.email,
        })),
      },
      {
        label: 'Sites',
        destinations: firstOf(sites, IconWorldWww, (site) => ({
          to: toSiteDetails(name, site),
          label: siteTitle(site),
          hint: siteTitle(site) === site.domain ? '' : site.domain,
        })),
      },
      {
        label: 'Groups',
        destinations: firstOf(groups, IconUsersGroup, (group) => ({
          to: toGroupDetails(name, group),
          label: group.name,
          hint: group.description,
        })),
      },
    ],
  };
};
