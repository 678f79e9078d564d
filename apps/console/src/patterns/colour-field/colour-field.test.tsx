import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { contrast } from '../app-tile/contrast.ts';
import { ColourField } from './colour-field.tsx';
import { colourFrom } from './colour-text.ts';
import { palette } from './palette.ts';

const show = async (start = '') => {
  const onChange = vi.fn();
  function Form() {
    const [value, setValue] = useState(start);
    const handleChange = (next: string) => {
      onChange(next);
      setValue(next);
    };
    return <ColourField label="Icon Color" value={value} onChange={handleChange} />;
  }
  renderScreen({ path: '*', element: <Form /> }, '/');
  await userEvent.click(screen.getByRole('button', { name: /^Icon Color/ }));
  await screen.findByRole('dialog');
  return onChange;
};
const colour = (name: string) => screen.findByRole('option', { name });

describe('§2.15 colour palette', () => {
  test.each([
    ['Base', 21],
    ['Dark', 14],
    ['Light', 9],
    ['Gray', 8],
  ])('§9 the group %s has %i colours', async (name, count) => {
    await show();
    const group = await screen.findByRole('group', { name });
    expect(within(group).getAllByRole('option')).toHaveLength(count);
  });

  test('each colour has a name, hex and RGB values', async () => {
    await show('#0f766e');
    expect(await colour('Petrol, #0f766e, rgb(15, 118, 110)')).toBeDefined();
    const shown = screen.getByRole('dialog');
    for (const text of ['Petrol', '#0f766e', 'rgb(15, 118, 110)']) {
      expect(within(shown).getByText(text)).toBeDefined();
    }
    await userEvent.hover(await colour('White, #ffffff, rgb(255, 255, 255)'));
    for (const text of ['White', '#ffffff', 'rgb(255, 255, 255)']) expect(within(shown).getByText(text)).toBeDefined();
  });

  test('no two colours share a name or a value, and each is #rrggbb', () => {
    const colours = palette.flatMap((group) => group.colours);
    expect(new Set(colours.map(({ name }) => name)).size).toBe(52);
    expect(new Set(colours.map(({ hex }) => hex)).size).toBe(52);
    for (const { hex } of colours) expect(hex).toMatch(/^#[0-9a-f]{6}$/);
  });

  test('white is readable on every dark colour, and dark text on every light one', () => {
    const group = (name: string) => palette.find((one) => one.name === name)?.colours ?? [];
    for (const { hex } of group('Dark')) expect(contrast('#ffffff', hex) >= 4.5, hex).toBe(true);
    for (const { hex } of group('Light')) expect(contrast('#0b1220', hex) >= 4.5, hex).toBe(true);
  });

  test('a click chooses immediately and leaves the panel open', async () => {
    const onChange = await show();
    await userEvent.click(await colour('Violet, #794bd5, rgb(121, 75, 213)'));
    expect(onChange).toHaveBeenLastCalledWith('#794bd5');
    expect((await colour('Violet, #794bd5, rgb(121, 75, 213)')).getAttribute('aria-selected')).toBe('true');
    expect(screen.getByRole('button', { name: 'Icon Color Violet #794bd5' })).toBeDefined();
  });

  test('the keyboard starts at the chosen colour, arrow keys move, Enter and space choose', async () => {
    const onChange = await show('#0f766e');
    const petrol = await colour('Petrol, #0f766e, rgb(15, 118, 110)');
    expect(screen.getAllByRole('option').filter(({ tabIndex }) => tabIndex === 0)).toEqual([petrol]);
    petrol.focus();
    await userEvent.keyboard('{ArrowRight}{Enter}');
    expect(onChange).toHaveBeenLastCalledWith('#05888d');
    await userEvent.keyboard('{ArrowLeft}{ArrowLeft} ');
    expect(onChange).toHaveBeenLastCalledWith('#15976a');
    await userEvent.keyboard('{End}{Enter}');
    expect(onChange).toHaveBeenLastCalledWith('#0b1220');
  });

  test("'No colour' is a choice", async () => {
    const onChange = await show('#0f766e');
    await userEvent.click(screen.getByRole('button', { name: 'No colour' }));
    expect(onChange).toHaveBeenLastCalledWith('');
    expect(screen.getByRole('button', { name: 'Icon Color no colour' })).toBeDefined();
  });

  test('any other colour is typed as its hex value', async () => {
    const onChange = await show();
    await userEvent.click(screen.getByRole('button', { name: 'Own colour' }));
    const hex = await screen.findByRole('textbox', { name: 'Hex value' });
    await userEvent.type(hex, '12AB9F');
    expect(onChange).toHaveBeenLastCalledWith('#12ab9f');
    await userEvent.clear(hex);
    await userEvent.type(hex, 'teal');
    await userEvent.tab();
    expect(await screen.findByText('Enter a colour as #rrggbb')).toBeDefined();
    expect(onChange).toHaveBeenLastCalledWith('#12ab9f');
  });

  test('a colour that is not in the palette opens as an own colour, with labelled sliders', async () => {
    await show('#123456');
    expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'Hex value' })).value).toBe('#123456');
    for (const name of ['Hue', 'Saturation and brightness']) expect(screen.getByRole('slider', { name })).toBeDefined();
  });

  test('Escape closes the panel and returns the focus', async () => {
    await show('#0f766e');
    (await colour('Petrol, #0f766e, rgb(15, 118, 110)')).focus();
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Icon Color/ }));
  });
});

test.each([
  ['#0f766e', '#0f766e'],
  [' 0F766E ', '#0f766e'],
  ['#abc', '#aabbcc'],
  ['', undefined],
  ['#12345', undefined],
  ['red', undefined],
  ['#12345g', undefined],
])('§3 colour: %j is read as %s', (typed, hex) => {
  expect(colourFrom(typed)).toBe(hex);
});
