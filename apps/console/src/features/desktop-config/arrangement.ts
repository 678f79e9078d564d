import type { ConfiguredApp } from '@opensocial/contract';

/** The two lists of §2.11: available apps by domain, and desktop apps in their order. */
export type Arrangement = { available: readonly ConfiguredApp[]; desktop: readonly ConfiguredApp[] };

/** The available apps are sorted by domain. */
export type Place = { list: 'available' } | { list: 'desktop'; index: number };

export const isSamePlace = (one: Place, other: Place): boolean =>
  one.list === 'desktop' && other.list === 'desktop' ? one.index === other.index : one.list === other.list;

export const byDomain = (one: ConfiguredApp, other: ConfiguredApp): number =>
  one.domain < other.domain ? -1 : Number(one.domain > other.domain) || one.id - other.id;

export const findApp = ({ available, desktop }: Arrangement, id: number): ConfiguredApp | undefined =>
  desktop.find((app) => app.id === id) ?? available.find((app) => app.id === id);

export const placeOf = ({ available, desktop }: Arrangement, id: number): Place | undefined => {
  const index = desktop.findIndex((app) => app.id === id);
  if (index >= 0) return { list: 'desktop', index };
  return available.some((app) => app.id === id) ? { list: 'available' } : undefined;
};

/** The arrangement with an app at another place. The index counts the places without the app. */
export const withPlaced = <Lists extends Arrangement>(lists: Lists, id: number, place: Place): Lists => {
  const app = findApp(lists, id);
  const from = placeOf(lists, id);
  if (!app || !from || isSamePlace(from, place)) return lists;
  const others = (apps: readonly ConfiguredApp[]) => apps.filter((other) => other !== app);
  const desktop = others(lists.desktop);
  if (place.list === 'available') return { ...lists, available: [...lists.available, app].toSorted(byDomain), desktop };
  return { ...lists, available: others(lists.available), desktop: desktop.toSpliced(place.index, 0, app) };
};

/** The layout of the lists, for the arrow keys. */
type Surroundings = { columns: number; isStacked: boolean; last: number };

/** The place that an arrow key moves to. The available apps are left of the desktop, or above it on a phone. */
export const stepFrom = (place: Place, key: string, { columns, isStacked, last }: Surroundings): Place => {
  if (place.list === 'available') {
    const leadsOver = key === 'End' || key === (isStacked ? 'ArrowDown' : 'ArrowRight');
    return leadsOver ? { list: 'desktop', index: last } : place;
  }
  const { index } = place;
  const isFirstColumn = index % columns === 0;
  const isFirstRow = index < columns;
  const isLastRow = Math.floor(index / columns) === Math.floor(last / columns);
  if (isStacked ? key === 'ArrowUp' && isFirstRow : key === 'ArrowLeft' && isFirstColumn) return { list: 'available' };
  const steps: Record<string, number> = {
    ArrowLeft: isFirstColumn ? index : index - 1,
    ArrowRight: (index + 1) % columns === 0 ? index : index + 1,
    ArrowUp: isFirstRow ? index : index - columns,
    ArrowDown: isLastRow ? index : index + columns,
    Home: 0,
    End: last,
  };
  return { list: 'desktop', index: Math.min(steps[key] ?? index, last) };
};

/** The place as a text for screen readers. */
export const describePlace = (place: Place, { desktop }: Arrangement): string =>
  place.list === 'available'
    ? 'among the available apps'
    : `place ${place.index + 1} of ${desktop.length} on the desktop`;
