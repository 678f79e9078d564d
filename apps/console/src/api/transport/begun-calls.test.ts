import { getRole } from '@opensocial/contract';
import { afterEach, expect, test } from 'vitest';
import { answer, stubServer } from '../../testing/stub-server.ts';
import { call } from './caller.ts';

const role = () => call(getRole, { params: { server: 'northlab' } });

afterEach(() => {
  globalThis.begunCalls = undefined;
});

test('a call that boot.ts has begun is not sent again, and a later one is', async () => {
  const asked = stubServer({ 'GET /server/sso/owner/northlab': answer('user') });
  globalThis.begunCalls = new Map([['/server/sso/owner/northlab', Promise.resolve(Response.json('admin'))]]);
  expect(await role()).toBe('admin');
  expect(asked).toHaveLength(0);
  expect(await role()).toBe('user');
  expect(asked).toHaveLength(1);
});

test('a begun call to an unreachable server fails like any other', async () => {
  stubServer({ 'GET /server/sso/owner/northlab': answer('user') });
  const lost = Promise.reject<Response>(new TypeError('Failed to fetch'));
  globalThis.begunCalls = new Map([['/server/sso/owner/northlab', lost]]);
  await expect(role()).rejects.toThrow('Failed to fetch');
  expect(await role()).toBe('user');
});
