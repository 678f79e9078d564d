/** The element that an arrow key moves to in a grid: the next or previous element, or the nearest one in the row above or below. */
export const elementBeside = (
  elements: readonly HTMLElement[],
  from: Element | null,
  key: string,
): HTMLElement | undefined => {
  const index = elements.findIndex((element) => element === from);
  const current = elements[index];
  if (!current) return undefined;
  switch (key) {
    case 'ArrowRight':
      return elements[index + 1];
    case 'ArrowLeft':
      return elements[index - 1];
    case 'ArrowDown':
      return nearestInRow(elements.slice(index), current, (top) => top > topOf(current));
    case 'ArrowUp':
      return nearestInRow(elements.slice(0, index).toReversed(), current, (top) => top < topOf(current));
    case 'Home':
      return elements[0];
    case 'End':
      return elements.at(-1);
    default:
      return undefined;
  }
};

const nearestInRow = (
  candidates: readonly HTMLElement[],
  current: HTMLElement,
  isBeyond: (top: number) => boolean,
): HTMLElement | undefined => {
  const first = candidates.find((element) => isBeyond(topOf(element)));
  if (!first) return undefined;
  const row = candidates.filter((element) => topOf(element) === topOf(first));
  return row.toSorted((one, other) => distance(one, current) - distance(other, current))[0];
};

// The layout position, which the hover transform of a tile does not change.
const topOf = (element: HTMLElement): number => element.offsetTop;
const distance = (one: HTMLElement, other: HTMLElement): number => Math.abs(one.offsetLeft - other.offsetLeft);
