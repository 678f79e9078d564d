import { type Group, listGroupOptions } from '@opensocial/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from './caller.ts';
import type { NetworkRef } from './session.ts';

/** More groups than this are not chosen from a list. */
const mostPages = 10;

/** The groups of a network to choose from, by name. `isCut` says that there are more than these. */
export const groupOptionsQuery = (network: NetworkRef) =>
  queryOptions({
    queryKey: ['groups', 'options', network.id],
    queryFn: async ({ signal }) => {
      const found: Group[] = [];
      for (let page = 0; page < mostPages; page += 1) {
        const params = { server_id: network.id, lastid: found.at(-1)?.id ?? 0 };
        // oxlint-disable-next-line no-await-in-loop -- a page begins where the last one ended
        const { groups } = await call(listGroupOptions, { params }, signal);
        if (groups.length === 0) return { groups: found, isCut: false };
        found.push(...groups);
      }
      return { groups: found, isCut: true };
    },
  });
