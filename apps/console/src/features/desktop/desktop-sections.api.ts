import { type DesktopSections, getDesktopSections, setDesktopFavourite } from '@opensocial/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/transport/caller.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { queryClient } from '../../api/transport/query-client.ts';
import { showErrorField } from '../../patterns/toast/show-error-field.tsx';

/** It is not retried, because the desktop waits for it, and is shown without sections if it fails. */
export const desktopSectionsQuery = (network: NetworkRef) =>
  queryOptions({
    queryKey: ['desktop', network.id, 'sections'],
    queryFn: ({ signal }) => call(getDesktopSections, { params: { server_id: network.id } }, signal),
    retry: false,
  });

type Choice = { id: number; favourite: boolean };

/** Is shown at once and taken back if it fails. The choices of a network are sent one after the other, so that the last one counts. */
export const chooseFavourite = (network: NetworkRef) => {
  const { queryKey } = desktopSectionsQuery(network);
  const update = (change: (favourites: number[]) => number[]) =>
    queryClient.setQueryData<DesktopSections>(
      queryKey,
      (sections) => sections && { ...sections, favourites: change(sections.favourites) },
    );
  return mutationOptions({
    mutationKey: ['desktop', network.id, 'favourite'],
    scope: { id: `favourites of ${network.id}` },
    mutationFn: ({ id, favourite }: Choice) =>
      call(setDesktopFavourite, { params: { site_id: id }, body: { favourite } }),
    onMutate: async ({ id, favourite }) => {
      await queryClient.cancelQueries({ queryKey });
      const former = queryClient.getQueryData<DesktopSections>(queryKey)?.favourites ?? [];
      update((favourites) => [...favourites.filter((other) => other !== id), ...(favourite ? [id] : [])]);
      return former;
    },
    onError: (error, { id }, former = []) => {
      update((favourites) => takenBack(id, favourites, former));
      showErrorField(error);
    },
  });
};

/** The favourites with one of them as it was before. Other choices that were made since are kept. */
const takenBack = (id: number, favourites: readonly number[], former: readonly number[]): number[] => [
  ...former.filter((other) => other === id || favourites.includes(other)),
  ...favourites.filter((other) => other !== id && !former.includes(other)),
];
