import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findToastPlace } from './toast-place.ts';

type Box = { left: number; top: number; width: number; height: number };

/** jsdom has no layout, so each element says where it is. */
const add = (tag: string, { left, top, width, height }: Box, parent: Element = document.body): HTMLElement => {
  const element = parent.appendChild(document.createElement(tag));
  vi.spyOn(element, 'getBoundingClientRect').mockReturnValue(new DOMRect(left, top, width, height));
  return element;
};

const setWindow = (width: number, height: number): void => {
  vi.spyOn(document.documentElement, 'clientWidth', 'get').mockReturnValue(width);
  vi.spyOn(document.documentElement, 'clientHeight', 'get').mockReturnValue(height);
};

beforeEach(() => setWindow(1440, 900));
afterEach(() => document.body.replaceChildren());

test('toasts are below the toolbars, at the right edge', () => {
  add('div', { left: 250, top: 100, width: 1150, height: 60 }).dataset['keepClear'] = '';
  expect(findToastPlace(60)).toEqual({ top: 168, right: 16, width: 440 });
});

test('toasts are to the left of the buttons of rows', () => {
  add('button', { left: 1340, top: 20, width: 36, height: 36 });
  expect(findToastPlace(60)).toEqual({ top: 8, right: 1440 - 1334, width: 440 });
});

test('toasts are narrower between the controls of a row on a phone', () => {
  setWindow(390, 844);
  add('input', { left: 24, top: 20, width: 40, height: 40 });
  add('button', { left: 340, top: 20, width: 36, height: 36 });
  expect(findToastPlace(60)).toEqual({ top: 8, right: 390 - 334, width: 334 - 70 });
});

test('toasts are below controls that leave no room beside them', () => {
  setWindow(390, 844);
  add('input', { left: 16, top: 20, width: 358, height: 42 });
  expect(findToastPlace(60)).toEqual({ top: 68, right: 16, width: 358 });
});

test('toasts ignore controls below the layer in front, and their own buttons', () => {
  add('button', { left: 1340, top: 20, width: 36, height: 36 });
  const panel = add('div', { left: 1000, top: 0, width: 440, height: 900 });
  panel.setAttribute('role', 'dialog');
  panel.setAttribute('aria-modal', 'true');
  const toast = add('div', { left: 1000, top: 8, width: 424, height: 60 }, panel);
  toast.setAttribute('role', 'alert');
  add('button', { left: 1380, top: 20, width: 30, height: 30 }, toast);
  expect(findToastPlace(60)).toEqual({ top: 8, right: 16, width: 440 });
});

test('toasts stay in the upper half if there is no free place', () => {
  for (let top = 0; top < 900; top += 50) add('input', { left: 16, top, width: 1400, height: 42 });
  expect(findToastPlace(60)).toEqual({ top: 8, right: 16, width: 440 });
});
