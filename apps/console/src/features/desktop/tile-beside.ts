/** Where an arrow key leads from a tile: along the list, or to the nearest tile of the row above or below. */
export const tileBeside = (
  tiles: readonly HTMLElement[],
  from: Element | null,
  key: string,
): HTMLElement | undefined => {
  const index = tiles.findIndex((tile) => tile === from);
  const current = tiles[index];
  if (!current) return undefined;
  switch (key) {
    case 'ArrowRight':
      return tiles[index + 1];
    case 'ArrowLeft':
      return tiles[index - 1];
    case 'ArrowDown':
      return nearestInRow(tiles.slice(index), current, (top) => top > topOf(current));
    case 'ArrowUp':
      return nearestInRow(tiles.slice(0, index).toReversed(), current, (top) => top < topOf(current));
    case 'Home':
      return tiles[0];
    case 'End':
      return tiles.at(-1);
    default:
      return undefined;
  }
};

const nearestInRow = (
  candidates: readonly HTMLElement[],
  current: HTMLElement,
  isBeyond: (top: number) => boolean,
): HTMLElement | undefined => {
  const first = candidates.find((tile) => isBeyond(topOf(tile)));
  if (!first) return undefined;
  const row = candidates.filter((tile) => topOf(tile) === topOf(first));
  return row.toSorted((one, other) => distance(one, current) - distance(other, current))[0];
};

// The list item's place: the tile itself is lifted while it is hovered.
const boxOf = (tile: HTMLElement): DOMRect => (tile.parentElement ?? tile).getBoundingClientRect();
const topOf = (tile: HTMLElement): number => boxOf(tile).top;
const distance = (one: HTMLElement, other: HTMLElement): number => Math.abs(boxOf(one).left - boxOf(other).left);
