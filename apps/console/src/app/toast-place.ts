/** Where toasts stand, in pixels from the top and the right edge of the window. */
type Place = { top: number; right: number };

const gap = 16;

/** The width of a toast in `toasts.module.css`. */
const toastWidth = 440;

/** As much room above a dialog is enough for a toast of two lines. */
const roomAbove = 96;

/** The open side panel and the dialog over it, the uppermost last. */
const layers = '[role="dialog"][aria-modal="true"]';

/** What has to stay visible and in reach: titles, close buttons, tabs, and the bars with the tools of a screen. */
const keptClear = '[data-keep-clear], .mantine-Modal-header';

/**
 * The top right corner, moved to where a toast covers no title, close button or tools: to the left of a side panel or above a dialog
 * where there is room, else below the heading of what is in front.
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
  // On a low window the toast stays in the upper half, whatever is there.
  const top = Math.min(Math.max(0, ...bottoms), document.documentElement.clientHeight / 2);
  return { top: top + gap / 2, right: gap };
};
