import { vi } from 'vitest';

const rowHeight = 50;

/** The rendered rows, and the gaps for rows that are not rendered. */
const heightOf = (scroller: HTMLElement): number =>
  [...scroller.querySelectorAll<HTMLElement>('tbody tr')].reduce((sum, row) => {
    const gap = Number.parseFloat(row.querySelector<HTMLElement>('td')?.style.height ?? '');
    return sum + (Number.isNaN(gap) ? rowHeight : gap);
  }, 0);

/** Gives elements a height, which happy-dom does not, so that a list shows about as many rows as in a browser. */
export const stubLayout = (height = 400): void => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(height);
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(height);
  vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockImplementation(function scrollHeight(this: HTMLElement) {
    return heightOf(this);
  });
  // A textarea that grows with its text waits for the fonts, which the simulated document lacks.
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
};
