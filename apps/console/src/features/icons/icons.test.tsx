import type { Icon } from '@opensocial/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { stubLayout } from '../../testing/layout.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { answer, refusal, stubServer } from '../../testing/stub-server.ts';
import { IconLibraryModal } from './icon-library-modal.tsx';

beforeEach(() => stubLayout());

const flask: Icon = {
  id: 1,
  name: 'flask',
  font_type: 'Solid',
  svg: '<svg viewBox="0 0 9 9"><path d="M0 0h9"/></svg>',
};
const vial: Icon = { ...flask, id: 2, name: 'vial', font_type: 'Duotone' };
const page = (icons: Icon[], count = icons.length) => answer({ icons, all_icons: { count } });
const listed = 'GET /server/fa/icons/0';
const categories = [
  { name: 'medical-health', label: 'Medical + Health' },
  { name: 'science', label: 'Science' },
];

const show = (answers: Parameters<typeof stubServer>[0] = {}) => {
  const asked = stubServer({
    [listed]: page([flask, vial]),
    'GET /server/fa/categories': answer({ categories }),
    ...answers,
  });
  const handlers = { onChoose: vi.fn(), onCancel: vi.fn() };
  return { asked, ...handlers, ...renderScreen({ path: '*', element: <IconLibraryModal {...handlers} /> }, '/') };
};
const icon = (name: string) => screen.findByRole('option', { name });

describe('§2.15 icon library', () => {
  test("counts as '{n} of {total} icons'", async () => {
    show({ [listed]: page([flask, vial], 5907) });
    expect(await screen.findByText('2 of 5,907 icons')).toBeDefined();
  });

  test('the detail panel shows the name and the icon type, and the icon can be used', async () => {
    const { onChoose } = show();
    await userEvent.click(await icon('vial, Duotone'));
    const detail = screen.getByRole('complementary', { name: 'Selected' });
    expect(within(detail).getByRole('heading', { name: 'vial' })).toBeDefined();
    expect(within(detail).getByText('Icon type').nextSibling?.textContent).toBe('Duotone');
    await userEvent.click(screen.getByRole('button', { name: 'Use this icon' }));
    expect(onChoose).toHaveBeenCalledWith(vial);
  });

  test('the button is disabled without a selection; Cancel and Escape return nothing', async () => {
    const { onChoose, onCancel } = show();
    await icon('flask, Solid');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Use this icon' }).disabled).toBe(true);
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await userEvent.keyboard('{Escape}');
    expect(onCancel).toHaveBeenCalledTimes(2);
    expect(onChoose).not.toHaveBeenCalled();
  });

  test('filters by font style', async () => {
    show({ 'GET /server/fa/icons/filter/Duotone/0': page([vial]) });
    await icon('flask, Solid');
    const styles = screen.getAllByRole<HTMLInputElement>('radio');
    expect(styles.map((style) => style.closest('label')?.textContent)).toEqual([
      'All Fonts',
      'Solid',
      'Regular',
      'Light',
      'Duotone',
      'Brands',
    ]);
    expect(styles[0]?.checked).toBe(true);
    await userEvent.click(screen.getByRole('radio', { name: 'Duotone' }));
    expect(await screen.findByText('1 of 1 icons')).toBeDefined();
    await userEvent.click(screen.getByRole('radio', { name: 'All Fonts' }));
    expect(await screen.findByText('2 of 2 icons')).toBeDefined();
  });

  test('filters by category, together with style and search', async () => {
    const { asked } = show({
      'GET /server/fa/icons/category/science/0': page([flask]),
      'GET /server/fa/icons/filter/Solid/category/science/0': page([flask]),
      'GET /server/fa/icons/filter/Solid/category/science/fla/0': page([flask]),
    });
    await icon('vial, Duotone');
    await userEvent.click(screen.getByRole('combobox', { name: 'Category' }));
    const offered = await screen.findByRole('listbox', { name: 'Category' });
    expect(
      within(offered)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['All categories', 'Medical + Health', 'Science']);
    await userEvent.click(within(offered).getByText('Science'));
    expect(await screen.findByText('1 of 1 icons')).toBeDefined();
    await userEvent.click(screen.getByRole('radio', { name: 'Solid' }));
    await userEvent.type(screen.getByRole('textbox', { name: 'Search icons' }), 'fla');
    await waitFor(() => expect(asked.at(-1)?.path).toBe('/server/fa/icons/filter/Solid/category/science/fla/0'));
    await userEvent.click(screen.getByRole('combobox', { name: 'Category' }));
    await userEvent.click(await screen.findByText('All categories'));
    await waitFor(() => expect(asked.at(-1)?.path).toBe('/server/fa/icons/filter/Solid/fla/0'));
  });

  test('a search starts at 2 characters', async () => {
    const { asked } = show({ 'GET /server/fa/icons/search/vi/0': page([vial]) });
    await icon('flask, Solid');
    await userEvent.type(screen.getByRole('textbox', { name: 'Search icons' }), 'vi');
    expect(await screen.findByText('1 of 1 icons')).toBeDefined();
    expect(asked.map(({ path }) => path)).not.toContain('/server/fa/icons/search/v/0');
  });

  test('a search without a match offers to show all', async () => {
    show({ 'GET /server/fa/icons/search/zz/0': page([]) });
    await icon('flask, Solid');
    await userEvent.type(screen.getByRole('textbox', { name: 'Search icons' }), 'zz');
    expect(await screen.findByText('There is no record in database')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Show all' }));
    expect(await icon('flask, Solid')).toBeDefined();
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Search icons' }).value).toBe('');
  });

  test('the next page is requested with the last id', async () => {
    const { asked } = show({ [listed]: page([flask], 2), 'GET /server/fa/icons/1': page([vial], 2) });
    expect(await screen.findByText('2 of 2 icons')).toBeDefined();
    expect(asked.map(({ path }) => path)).toContain('/server/fa/icons/1');
  });

  test('a failed load shows the error panel', async () => {
    show({ [listed]: refusal('internal') });
    expect(await screen.findByText(/^Something went wrong with the SSO Server/)).toBeDefined();
  });

  test('hostile markup never becomes part of the page', async () => {
    const svg = '<svg onload="alert(1)"><script>alert(2)</script></svg><img src="x" onerror="alert(3)">';
    const { container } = show({ [listed]: page([{ ...flask, svg }]) });
    await userEvent.click(await icon('flask, Solid'));
    expect(document.body.querySelector('script, [onload], [onerror]')).toBeNull();
    expect(container.ownerDocument.querySelectorAll('img[src^="data:image/svg+xml"]')).toHaveLength(2);
  });

  test('the authors of the icons and their licences are named', async () => {
    show();
    for (const name of ['Font Awesome Free', 'CC BY 4.0', 'Phosphor Icons', 'MIT']) {
      const link = await screen.findByRole('link', { name });
      expect(link.getAttribute('rel')).toBe('noopener noreferrer');
    }
  });
});
