import type { Icon } from '@opensocial/contract';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { LibrariesContext } from '../libraries/libraries.ts';
import { IconField } from './icon-field.tsx';

const flask: Icon = { id: 1, name: 'flask', font_type: 'Solid', svg: '<svg><path d="M0 0h9"/></svg>' };

const show = (props: Partial<Parameters<typeof IconField>[0]> = {}, choices: Icon[] = [flask]) => {
  const onChange = vi.fn();
  const libraries = { chooseImage: vi.fn(), chooseIcon: () => Promise.resolve(choices[0]) };
  const element = (
    <LibrariesContext value={libraries}>
      <IconField label="Site Icon" value="" onChange={onChange} {...props} />
    </LibrariesContext>
  );
  return { onChange, ...renderScreen({ path: '*', element }, '/') };
};

test('§2.11 site icon: is chosen from the icon library', async () => {
  const { onChange } = show();
  await userEvent.click(screen.getByRole('button', { name: 'Choose Site Icon' }));
  expect(onChange).toHaveBeenCalledWith(flask.svg);
});

test('§2.15 icon library: cancelling changes nothing', async () => {
  const { onChange } = show({}, []);
  await userEvent.click(screen.getByRole('button', { name: 'Choose Site Icon' }));
  expect(onChange).not.toHaveBeenCalled();
});

test('§4 removing: clears the field after the call succeeds', async () => {
  const onRemove = vi.fn(() => Promise.resolve());
  const { onChange } = show({ value: flask.svg, onRemove });
  await userEvent.click(screen.getByRole('button', { name: 'Remove Site Icon' }));
  expect(onRemove).toHaveBeenCalledOnce();
  expect(onChange).toHaveBeenCalledWith('');
});

test('§2.11 site icon: hostile markup never becomes part of the page', () => {
  const { container } = show({ value: '<svg onload="alert(1)"><script>alert(2)</script></svg>' });
  expect(container.querySelector('svg, script, [onload]')).toBeNull();
  expect(container.innerHTML).toContain('data:image/svg+xml');
});
