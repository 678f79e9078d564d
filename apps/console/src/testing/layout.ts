import { vi } from 'vitest';

const rowHeight = 50;

/** Rows that are drawn, and the gaps that stand for those that are not. */
const heightOf = (scroller: HTMLElement): number =>
  [...scroller.querySelectorAll<HTMLElement>('tbody tr')].reduce((sum, row) => {
    const gap = Number.parseFloat(row.querySelector<HTMLElement>('td')?.style.height ?? '');
    return sum + (Number.isNaN(gap) ? rowHeight : gap);
  }, 0);

/** Gives elements a height, which happy-dom does not: a list then shows about as many rows as a window would. */
export const stubLayout = (height = 400): void => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(height);
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(height);
  vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockImplementation(function scrollHeight(this: HTMLElement) {
    return heightOf(this);
  });
};
