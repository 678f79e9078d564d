import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { Outlet } from 'react-router';
import { beforeEach, expect, test } from 'vitest';
import { useLibraries } from '../patterns/libraries/libraries.ts';
import { stubLayout } from '../testing/layout.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { answer, stubServer } from '../testing/stub-server.ts';
import { LibrariesProvider } from './libraries-provider.tsx';

beforeEach(() => stubLayout());

const flask = { id: 1, name: 'flask', font_type: 'Solid', svg: '<svg></svg>' };

function Caller() {
  const { chooseIcon, chooseImage } = useLibraries();
  const [chosen, setChosen] = useState('');
  const ask = async (choose: () => Promise<{ name: string } | undefined>) => {
    setChosen('asked');
    setChosen((await choose())?.name ?? 'nothing');
  };
  return (
    <>
      <button type="button" onClick={() => void ask(chooseIcon)}>
        Icon
      </button>
      <button type="button" onClick={() => void ask(() => chooseImage({ network: 'northlab', kind: 'icon' }))}>
        Picture
      </button>
      <p>{chosen}</p>
    </>
  );
}

const show = () => {
  stubServer({
    'GET /server/fa/icons/0': answer({ icons: [flask], all_icons: { count: 1 } }),
    'GET /server/fa/categories': answer({ categories: [] }),
    'GET /server/sso/icon_images/northlab/0': answer({ images: [], all_images: 0 }),
  });
  const element = (
    <LibrariesProvider>
      <Outlet />
    </LibrariesProvider>
  );
  const children = [
    { path: '/', element: <Caller /> },
    { path: '/elsewhere', element: 'elsewhere' },
  ];
  return renderScreen({ element, children }, '/');
};
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

test('§2.15 libraries: the chosen icon and the focus return to the caller', async () => {
  show();
  await press('Icon');
  await userEvent.click(await screen.findByRole('option', { name: 'flask, Solid' }));
  await press('Use this icon');
  expect(await screen.findByText('flask', { selector: 'p' })).toBeDefined();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Icon' }));
});

test('§2.15 libraries: cancelling returns nothing, and the library can be opened again', async () => {
  show();
  await press('Picture');
  await screen.findByRole('dialog', { name: 'Choose an icon picture' });
  await press('Cancel');
  expect(await screen.findByText('nothing')).toBeDefined();
  await press('Icon');
  expect(await screen.findByRole('dialog', { name: 'Choose an icon' })).toBeDefined();
});

test('§2.15 libraries: a navigation closes the library', async () => {
  const { router } = show();
  await press('Icon');
  await screen.findByRole('dialog');
  await act(() => router.navigate('/elsewhere'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByText('elsewhere')).toBeDefined();
});
