/** The position of the toasts, in pixels from the top and the right edge of the window. */
type Place = { top: number; right: number };

const gap = 16;

/** The width of a toast in `toasts.module.css`. */
const toastWidth = 440;

/** The free height above a dialog that is enough for a toast of two lines. */
const roomAbove = 96;

/** The open side panel and the dialogs above it. The last match is in front. */
const layers = '[role="dialog"][aria-modal="true"]';

/** Elements that a toast must not cover: titles, close buttons, tabs and toolbars. */
const keptClear = '[data-keep-clear], .mantine-Modal-header';

/**
 * Finds the place for toasts: the top right corner of the window, to the left of an open side panel, or above a
 * dialog if there is room. Otherwise toasts go below the heading of the layer in front.
 */
export const findToastPlace = (): Place => {
  const front = [...document.querySelectorAll<HTMLElement>(layers)].at(-1);
  const width = document.documentElement.clientWidth;
  const edge = front?.matches('.mantine-Drawer-content') ? front.getBoundingClientRect().left : 0;
  if (edge >= toastWidth + 2 * gap) return { top: gap, right: width - edge + gap };
  if (front && front.getBoundingClientRect().top >= roomAbove) return { top: gap, right: gap };
  const left = width - gap - Math.min(toastWidth, width - 2 * gap);
  const bottoms = [...(front ?? document).querySelectorAll<HTMLElement>(keptClear)]
    .map((element) => element.getBoundingClientRect())
    .filter((box) => box.bottom > 0 && box.right > left)
    .map(({ bottom }) => bottom);
  // On a low window the toast stays in the upper half, even if it covers something.
  const top = Math.min(Math.max(0, ...bottoms), document.documentElement.clientHeight / 2);
  return { top: top + gap / 2, right: gap };
};
