import { expect, test } from 'vitest';
import { confirmSignup, getActivationPolicy } from './activation/activation.calls.ts';
import { client } from './client.ts';
import { uploadImage } from './media/media.calls.ts';
import { getNetworkName } from './networks/networks.calls.ts';

const answering = (status: number, answer: unknown, seen: Request[] = []) =>
  client({
    origin: 'http://localhost',
    fetch: async (url, init) => {
      seen.push(new Request(url, init));
      return new Response(typeof answer === 'string' ? answer : JSON.stringify(answer), { status });
    },
  });

test('a call is sent as declared', async () => {
  const seen: Request[] = [];
  const caller = answering(200, { message: 'done' }, seen);
  await caller(confirmSignup, {
    body: { email: 'ana@northlab.org', code: 'c', password: 'p', signup_from: 'http://localhost' },
  });
  expect(seen[0]).toMatchObject({ method: 'POST', url: 'http://localhost/prxy/api/user/confirm_user_signup' });
  expect(await seen[0]?.json()).toMatchObject({ email: 'ana@northlab.org' });
});

test('a query is encoded', async () => {
  const seen: Request[] = [];
  await answering(200, {}, seen)(getActivationPolicy, { query: { server: 'a&b' } });
  expect(seen[0]?.url).toBe('http://localhost/prxy/api/password_regex?server=a%26b');
});

test('an empty query leaves no trace in the address', async () => {
  const seen: string[] = [];
  const caller = client({
    fetch: async (url) => {
      seen.push(url as string);
      return Response.json({});
    },
  });
  await caller(getActivationPolicy, { query: {} });
  await caller(getNetworkName, { params: { id: 1 } });
  expect(seen).toEqual(['/prxy/api/password_regex', '/server/get_name/1']);
});

test('an error answer becomes an ApiError with its code and text', async () => {
  const refused = answering(404, { message: 'There is nothing here.', error: 'not_found' });
  await expect(refused(getNetworkName, { params: { id: 1 } })).rejects.toMatchObject({
    code: 'not_found',
    status: 404,
    message: 'There is nothing here.',
  });
});

test("a proxy's page becomes an ApiError too", async () => {
  await expect(answering(502, '<html>')(getNetworkName, { params: { id: 1 } })).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The server answered 502.',
  });
});

test('a file is sent as a form, behind the fields that say whose it is', async () => {
  const seen: Request[] = [];
  const file = new File(['bytes'], 'logo.png', { type: 'image/png' });
  await answering(200, { message: 'name' }, seen)(uploadImage, { body: { sso_server: 'northlab' }, file });
  const form = await seen[0]?.formData();
  expect([...(form?.keys() ?? [])]).toEqual(['sso_server', 'image']);
  expect(form?.get('image')).toMatchObject({ name: 'logo.png', size: 5 });
});
