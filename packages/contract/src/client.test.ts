import { expect, test } from 'vitest';
import { confirmSignup, getActivationPolicy } from './activation/activation.calls.ts';
import { client } from './client.ts';
import type { ApiError } from './errors.ts';
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

test('an empty query is left out of the URL', async () => {
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

test('an error response becomes an ApiError with its code and text', async () => {
  const refused = answering(404, {
    message: 'There is nothing here.',
    error: 'There is nothing here.',
    code: 'not_found',
  });
  await expect(refused(getNetworkName, { params: { id: 1 } })).rejects.toMatchObject({
    code: 'not_found',
    status: 404,
    message: 'There is nothing here.',
  });
});

const failure = (status: number, body: unknown): Promise<ApiError> =>
  answering(status, body)(getNetworkName, { params: { id: 1 } }).then(
    () => expect.unreachable(),
    (error: unknown) => error as ApiError,
  );

test('an error is recognised by its code, and by the one error that §8 spells as a code', async () => {
  expect(await failure(409, { message: 'M', error: 'E', code: 'group_exists' })).toMatchObject({
    code: 'group_exists',
  });
  expect(await failure(403, { error: 'auth_required' })).toMatchObject({ code: 'auth_required' });
  expect(await failure(401, '')).toMatchObject({ code: 'auth_required' });
  expect(await failure(500, { code: 'toString' })).toMatchObject({ code: 'internal' });
});

const nginx = `<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>
<hr><center>nginx/1.25.3</center>\r\n</body>\r\n</html>\r\n<!-- a padding to disable MSIE and Chrome friendly error page -->`;

test.each([
  ['a line of text', 'upstream connect error', 'upstream connect error'],
  ['lines of text', 'no healthy\r\n\tupstream \u0000\u0007', 'no healthy upstream'],
  ["a proxy's page", nginx, '502 Bad Gateway nginx/1.25.3'],
  ['a page with only a title', '<!doctype html><title>Bad &amp; gone</title><body></body>', 'Bad & gone'],
  [
    'scripts and styles',
    '<p>Out <b>of</b> order</p><script>alert("<p>x</p>")</script><style>p{}</style>',
    'Out of order',
  ],
  ['an unclosed script', '<h1>Down</h1><script>steal()', 'Down'],
  ['an escaped tag, shown as text', '<p>&lt;img src=x onerror=alert(1)&gt;</p>', '<img src=x onerror=alert(1)>'],
  ['markup of a store', '<?xml version="1.0"?><Error><Code>SlowDown</Code></Error>', 'SlowDown'],
  ['comparisons', 'quota: 3 < 4 and 5 > 4', 'quota: 3 < 4 and 5 > 4'],
  ['a text that reverses its direction', '\u202edlroW\u202c olleH\u200b', 'dlroW olleH'],
  ['an empty page', '<html><head></head><body><hr></body></html>', 'The server answered 502.'],
  ['nothing', ' \n', 'The server answered 502.'],
])('§8 errors: %s is shown as plain text', async (_name, body, text) => {
  expect(await failure(502, body)).toMatchObject({ code: 'unavailable', status: 502, message: text });
});

test('§8 errors: a long text is cut to a few hundred characters', async () => {
  const { message } = await failure(500, '🙂'.repeat(100_000));
  expect(message).toMatch(/^(🙂){149}…$/u);
  expect((await failure(500, `<div>${'<script '.repeat(50_000)}`)).message).toBe('The server answered 500.');
  expect((await failure(400, { message: 'x'.repeat(5_000) })).message).toHaveLength(1_000);
});

test('a file is sent as a form, after the fields that name its network', async () => {
  const seen: Request[] = [];
  const file = new File(['bytes'], 'logo.png', { type: 'image/png' });
  await answering(200, { message: 'name' }, seen)(uploadImage, { body: { sso_server: 'northlab' }, file });
  const form = await seen[0]?.formData();
  expect([...(form?.keys() ?? [])]).toEqual(['sso_server', 'image']);
  expect(form?.get('image')).toMatchObject({ name: 'logo.png', size: 5 });
});
