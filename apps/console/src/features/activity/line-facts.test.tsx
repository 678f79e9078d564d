import type { LineDetails } from '@opensocial/contract';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { answer, stubServer } from '../../testing/stub-server.ts';
import { LineFacts } from './line-facts.tsx';

const failed: LineDetails = {
  id: 1,
  login_status: 'Failed',
  email: 'ana@northlab.org',
  site: 'reports.northlab.org',
  ip_address: '10.0.0.7',
  login_time: '2026-11-18T10:00:00.000Z',
  last_login: '2026-11-18T10:00:00.000Z',
  reason: 'site closed',
  site_id: 12,
  site_name: 'Reports',
  user_id: 5,
  fullname: 'Ana Moreno',
  user_agent: '',
  mfa: '',
  country: '',
  session: 'none',
  is_this_browser: false,
};

const show = (line: LineDetails, role = 'admin') => {
  stubServer({ 'GET /server/sso/owner/northlab': answer(role) });
  renderScreen({ path: '*', element: <LineFacts line={line} network={{ id: 7, name: 'northlab' }} /> }, '/');
};

test('§2.13 a line names the site as people know it, and by its domain', async () => {
  show(failed);
  expect(await screen.findByRole('link', { name: 'Reports (reports.northlab.org)' })).toBeTruthy();
});

test('§2.13 a failed line of a known person at a site leads an owner to the access check', async () => {
  show(failed);
  const why = await screen.findByRole('link', { name: 'Why?' });
  expect(why.getAttribute('href')).toBe('/sso-servers/northlab/users/5/access/12');
});

test.each([
  ['a successful line', { login_status: 'Success', reason: 'password' }],
  ['a line of somebody who is not known', { user_id: null, fullname: '' }],
  ['a line of a site that is gone', { site_id: null }],
] as const)('§2.13 %s has no such link', async (_case, changes) => {
  show({ ...failed, ...changes });
  // The other links appear once the role is known.
  await screen.findAllByRole('link');
  expect(screen.queryByRole('link', { name: 'Why?' })).toBeNull();
});

test('§6 a user who is no owner has no such link', async () => {
  show(failed, 'user');
  expect(await screen.findByText('The site was closed.')).toBeDefined();
  expect(screen.queryAllByRole('link')).toEqual([]);
});

test('§2.13 a line of a person without a name leads to the person by the address', async () => {
  show({ ...failed, fullname: '' });
  expect((await screen.findByRole('link', { name: 'ana@northlab.org' })).getAttribute('href')).toContain(
    '/sso-servers/northlab/users/5/details',
  );
  expect(screen.getByRole('link', { name: 'Timeline' })).toBeTruthy();
});
