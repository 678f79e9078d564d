import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { RefusedRequestsNote } from './refused-requests-note.tsx';

const show = (network?: string) => {
  const note = <RefusedRequestsNote {...(network !== undefined && { network })}>elsewhere</RefusedRequestsNote>;
  renderScreen({ path: '*', element: note }, '/');
};

test('§2.13 Activity of a network says where wrong passwords at the console are', async () => {
  show('northlab');
  const link = await screen.findByRole('link', { name: 'Users' });
  expect(link.getAttribute('href')).toBe('/sso-servers/northlab/users');
  expect(screen.getByText(/wrong passwords there are not listed either/)).toBeDefined();
});

test.each([
  ['of the main network, which has these lines', 'opensocial'],
  ['of one site', undefined],
])('§2.13 Activity %s does not', async (_, network) => {
  show(network);
  expect(await screen.findByText(/They are elsewhere\./)).toBeDefined();
  expect(screen.queryByText(/wrong passwords there/)).toBeNull();
});
