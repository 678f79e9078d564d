import { type FontType, type Icon, listIconCategories, listIcons } from '@opensocial/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/transport/caller.ts';
import { pagedQuery } from '../../api/transport/paged-query.ts';

/** The search, style and category of the icon library. Absent values do not filter. */
export type IconView = { search: string; style?: FontType | undefined; category?: string | undefined };

// The icons change only with the installed version.
const staleTime = Number.POSITIVE_INFINITY;

export const iconsQuery = ({ search, style, category }: IconView) => ({
  ...pagedQuery<Icon>({
    queryKey: ['icons', 'list', search, style, category],
    page: async (lastid, signal) => {
      const params = {
        lastid,
        ...(search !== '' && { keyword: search }),
        ...(style && { filter: style }),
        ...(category && { category }),
      };
      const { icons, all_icons } = await call(listIcons, { params }, signal);
      return { rows: icons, total: all_icons.count, isMinimum: false };
    },
  }),
  staleTime,
});

export const iconCategoriesQuery = queryOptions({
  queryKey: ['icons', 'categories'],
  queryFn: ({ signal }) => call(listIconCategories, {}, signal),
  staleTime,
});
