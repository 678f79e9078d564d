import {
  type ArrangedSections,
  collapseDesktopSection,
  type DesktopSections,
  getDesktopSections,
  type SectionsDraft,
  saveDesktopSections,
  setDesktopFavourite,
} from '@opensocial/contract';
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

const keyOf = (network: NetworkRef) => desktopSectionsQuery(network).queryKey;

const updateSections = (network: NetworkRef, change: (sections: DesktopSections) => Partial<DesktopSections>): void => {
  queryClient.setQueryData<DesktopSections>(keyOf(network), (shown) => shown && { ...shown, ...change(shown) });
};

type Choice = { id: number; favourite: boolean };

/** Is shown at once and taken back if it fails. The choices of a network are sent one after the other, so that the last one counts. */
export const chooseFavourite = (network: NetworkRef) => {
  const queryKey = keyOf(network);
  const update = (change: (favourites: number[]) => number[]) =>
    updateSections(network, ({ favourites }) => ({ favourites: change(favourites) }));
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

type Collapse = { id: number; collapsed: boolean };

/** Is shown at once, and taken back if it fails. */
export const collapseSection = (network: NetworkRef) => {
  const show = ({ id, collapsed }: Collapse) =>
    updateSections(network, ({ sections }) => ({
      sections: sections.map((section) => (section.id === id ? { ...section, collapsed } : section)),
    }));
  return mutationOptions({
    mutationKey: ['desktop', network.id, 'collapse'],
    scope: { id: `collapsed sections of ${network.id}` },
    mutationFn: ({ id, collapsed }: Collapse) =>
      call(collapseDesktopSection, { params: { server_id: network.id, section_id: id }, body: { collapsed } }),
    onMutate: async (choice) => {
      await queryClient.cancelQueries({ queryKey: keyOf(network) });
      show(choice);
    },
    onError: (error, { id, collapsed }) => {
      show({ id, collapsed: !collapsed });
      showErrorField(error);
    },
  });
};

export const saveSections = (network: NetworkRef) =>
  mutationOptions({
    mutationKey: ['desktop', network.id, 'arrange'],
    // Offline, the save fails at once instead of waiting, because another browser may save first.
    networkMode: 'always',
    mutationFn: async (body: SectionsDraft): Promise<ArrangedSections> => {
      await queryClient.cancelQueries({ queryKey: keyOf(network) });
      return call(saveDesktopSections, { params: { server_id: network.id }, body });
    },
    onSuccess: (saved) => updateSections(network, () => saved),
  });

/** The current sections, for a save that was refused because another browser has changed them. */
export const reloadSections = (network: NetworkRef): Promise<ArrangedSections> =>
  queryClient.fetchQuery({ ...desktopSectionsQuery(network), staleTime: 0 });
