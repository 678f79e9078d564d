/** The position of the toasts, in pixels from the top and the right edge of the window. */
type Place = { top: number; right: number; width: number };

type Box = Pick<DOMRect, 'top' | 'right' | 'bottom' | 'left'>;

const gap = 16;

const toastWidth = 440;

/** The narrowest toast that is still easy to read. */
const leastWidth = 232;

/** The distance to a control. */
const distance = 6;

/** The free height above a dialog that is enough for a toast of two lines. */
const roomAbove = 96;

/** The open side panel and the dialogs above it. The last match is in front. */
const layers = '[role="dialog"][aria-modal="true"]';

/** Elements that a toast must not cover: titles, close buttons, tabs and toolbars. */
const keptClear = '[data-keep-clear], .mantine-Modal-header';

/** Labels belong to switches and radio buttons, whose inputs are not visible. */
const controls = 'a[href], button, input, select, textarea, summary, label';

/**
 * Finds the place for toasts of a height: the top right corner of the window, to the left of an open side panel, or above a
 * dialog if there is room. Otherwise toasts go below the heading of the layer in front, where they cover no control: further to the
 * left, narrower or further down.
 */
export const findToastPlace = (height: number): Place => {
  const front = [...document.querySelectorAll<HTMLElement>(layers)].at(-1);
  const { clientWidth, clientHeight } = document.documentElement;
  const width = Math.min(toastWidth, clientWidth - 2 * gap);
  const edge = front?.matches('.mantine-Drawer-content') ? front.getBoundingClientRect().left : 0;
  if (edge >= toastWidth + 2 * gap) return { top: gap, right: clientWidth - edge + gap, width };
  if (front && front.getBoundingClientRect().top >= roomAbove) return { top: gap, right: gap, width };
  const left = clientWidth - gap - width;
  const bottoms = boxesIn(front ?? document, keptClear)
    .filter((box) => box.right > left)
    .map(({ bottom }) => bottom);
  // On a low window the toast stays in the upper half, even if it covers something.
  const top = Math.min(Math.max(0, ...bottoms), clientHeight / 2) + gap / 2;
  const found = boxesIn(front ?? document, controls);
  const tops = found.map(({ bottom }) => bottom + distance).filter((next) => next > top && next < clientHeight / 2);
  for (const next of [top, ...tops.toSorted((one, other) => one - other)]) {
    const beside = found.filter((box) => box.bottom + distance > next && box.top - distance < next + height);
    const span = findSpan(beside, { left: gap, right: clientWidth - gap });
    if (span) return { top: next, right: clientWidth - span.right, width: span.right - span.left };
  }
  return { top, right: gap, width };
};

/** The visible boxes of elements. Inputs that only screen readers see are smaller. */
const boxesIn = (layer: ParentNode, selector: string): Box[] =>
  [...layer.querySelectorAll<HTMLElement>(selector)]
    .filter((element) => element.closest('[role="alert"]') === null)
    .map((element) => element.getBoundingClientRect())
    .filter((box) => box.width > 2 && box.height > 2 && box.bottom > 0);

/** The part of a row, as far to the right as possible, that is free of boxes and wide enough for a toast. */
const findSpan = (boxes: readonly Box[], row: { left: number; right: number }) => {
  let { right } = row;
  for (const box of boxes.toSorted((one, other) => other.right - one.right)) {
    if (right - (box.right + distance) >= leastWidth)
      return { left: Math.max(box.right + distance, right - toastWidth), right };
    right = Math.min(right, box.left - distance);
  }
  return right - row.left >= leastWidth ? { left: Math.max(row.left, right - toastWidth), right } : undefined;
};
