import type { Image } from '@opensocial/contract';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { LibrariesContext } from '../libraries/libraries.ts';
import { ImageField } from './image-field.tsx';

type FieldProps = Partial<Parameters<typeof ImageField>[0]>;

const chosen = { name: 'new.png' } as Image;

const show = (props: FieldProps = {}, choices: Image[] = [chosen]) => {
  const chooseImage = vi.fn(() => Promise.resolve(choices[0]));
  const onChange = vi.fn();
  function Form() {
    const [value, setValue] = useState(props.value ?? 'old.png');
    const handleChange = (name: string) => {
      onChange(name);
      setValue(name);
    };
    return (
      <ImageField label="Site Logo" network="northlab" kind="image" {...props} value={value} onChange={handleChange} />
    );
  }
  const element = (
    <LibrariesContext value={{ chooseImage, chooseIcon: vi.fn() }}>
      <Form />
    </LibrariesContext>
  );
  const { container } = renderScreen({ path: '*', element }, '/');
  return { chooseImage, onChange, shown: () => container.querySelector('img')?.getAttribute('src') };
};
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

/** A call that the test completes. */
const gate = () => {
  let settle: (error?: Error) => void = () => {};
  const call = vi.fn(
    () =>
      new Promise<void>((resolve, reject) => {
        settle = (error) => (error ? reject(error) : resolve());
      }),
  );
  return { call, settle: (error?: Error) => settle(error) };
};

test('§2.7 images: the field shows the image and opens the library with it selected', async () => {
  const { shown, chooseImage, onChange } = show();
  expect(shown()).toBe('/server/sso/sso_images/image/old.png?thumbnail');
  await press('Change Site Logo');
  expect(chooseImage).toHaveBeenCalledWith({ network: 'northlab', kind: 'image', chosen: 'old.png' });
  expect(onChange).toHaveBeenCalledWith('new.png');
  expect(shown()).toBe('/server/sso/sso_images/image/new.png?thumbnail');
});

test('§2.11 icon picture: comes from the other library', async () => {
  const { shown, chooseImage } = show({ kind: 'icon' });
  expect(shown()).toBe('/server/sso/icon_image/northlab/old.png?thumbnail');
  await press('Change Site Logo');
  expect(chooseImage).toHaveBeenCalledWith({ network: 'northlab', kind: 'icon', chosen: 'old.png' });
});

test('§2.7 images: without an image there is a default image and no remove button', () => {
  const { shown } = show({ value: '' });
  expect(shown()).toBeUndefined();
  expect(screen.getByRole('button', { name: 'Choose Site Logo' })).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Remove Site Logo' })).toBeNull();
});

test('§2.7 images: a deleted image shows a default image', () => {
  const { shown } = show();
  fireEvent.error(document.querySelector('img') as HTMLElement);
  expect(shown()).toBeUndefined();
});

test('§2.15 media library: cancelling changes nothing', async () => {
  const { onChange } = show({}, []);
  await press('Change Site Logo');
  expect(onChange).not.toHaveBeenCalled();
});

test('§4 images: a choice that is saved immediately is shown after the save', async () => {
  const saving = gate();
  const { onChange } = show({ onChoose: saving.call });
  await press('Change Site Logo');
  expect(saving.call).toHaveBeenCalledWith(chosen);
  const button = screen.getByRole('button', { name: 'Change Site Logo' });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  expect(onChange).not.toHaveBeenCalled();
  saving.settle();
  await waitFor(() => expect(onChange).toHaveBeenCalledWith('new.png'));
  expect(button.getAttribute('aria-disabled')).toBe('false');
});

test('§4 removing: the field clears after the call succeeds, and the focus stays in it', async () => {
  const removing = gate();
  const { onChange, shown } = show({ onRemove: removing.call });
  await press('Remove Site Logo');
  await press('Remove Site Logo');
  expect(removing.call).toHaveBeenCalledOnce();
  expect(shown()).toBeDefined();
  removing.settle();
  await waitFor(() => expect(onChange).toHaveBeenCalledWith(''));
  expect(shown()).toBeUndefined();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Choose Site Logo' }));
});

test('§8 removing: a failure shows a toast, and the image stays', async () => {
  const removing = gate();
  const { onChange, shown } = show({ onRemove: removing.call });
  await press('Remove Site Logo');
  removing.settle(new TypeError('Failed to fetch'));
  expect(await screen.findByText(/^The server could not be reached/)).toBeDefined();
  expect(onChange).not.toHaveBeenCalled();
  expect(shown()).toBeDefined();
});
