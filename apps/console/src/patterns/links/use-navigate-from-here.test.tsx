import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Link, Outlet } from 'react-router';
import { expect, test } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { useNavigateFromHere } from './use-navigate-from-here.ts';

/** A screen whose work ends when the test says so, and a link to a screen whose script loads until the test says so. */
const show = () => {
  const work = Promise.withResolvers<void>();
  const script = Promise.withResolvers<void>();
  function Form() {
    const navigate = useNavigateFromHere();
    return (
      <>
        <button type="button" onClick={() => void work.promise.then(() => navigate('/saved'))}>
          Save
        </button>
        <Link to="/other">Other</Link>
      </>
    );
  }
  const { router } = renderScreen(
    {
      element: <Outlet />,
      children: [
        { path: '/form', Component: Form },
        { path: '/saved', element: 'saved' },
        { path: '/other', lazy: { Component: () => script.promise.then(() => () => 'other') } },
      ],
    },
    '/form',
  );
  return { work, script, router };
};

test('work that ends leads to the next screen', async () => {
  const { work, router } = show();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  work.resolve();
  await waitFor(() => expect(router.state.location.pathname).toBe('/saved'));
});

test('work that ends while another screen loads does not call people back', async () => {
  const { work, script, router } = show();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await userEvent.click(screen.getByRole('link', { name: 'Other' }));
  expect(router.state.location.pathname).toBe('/form');
  work.resolve();
  await work.promise;
  script.resolve();
  expect(await screen.findByText('other')).toBeDefined();
});

test('work that ends after people have left does not call them back', async () => {
  const { work, script, router } = show();
  script.resolve();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await userEvent.click(screen.getByRole('link', { name: 'Other' }));
  expect(await screen.findByText('other')).toBeDefined();
  work.resolve();
  await work.promise;
  expect(router.state.location.pathname).toBe('/other');
});
