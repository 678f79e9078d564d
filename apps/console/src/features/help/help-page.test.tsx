import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { helpRoute } from './help.routes.tsx';

const chapter = 'Answer “why could she not sign in?”';

test('§2.2 guide for owners: the contents lead to each part, which gets the focus', async () => {
  const { router } = renderScreen({ ...helpRoute, HydrateFallback: () => null }, '/help');
  expect(await screen.findByRole('heading', { level: 1, name: 'Guide for owners' })).toBeDefined();
  const contents = screen.getByRole('navigation', { name: 'In this guide' });
  expect(within(contents).getAllByRole('link').length).toBeGreaterThan(8);
  await userEvent.click(within(contents).getByRole('link', { name: chapter }));
  expect(router.state.location.hash).toBe('#answer-why-could-she-not-sign-in');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 2, name: chapter })));
  expect(screen.getByRole('cell', { name: 'Unlock account' }).querySelector('strong')).not.toBeNull();
});
