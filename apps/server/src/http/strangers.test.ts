import { get, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRole } from '@opensocial/contract';
import Fastify from 'fastify';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newDeviceCookie } from '../features/sign-in/credentials/known-devices.ts';
import type { Browser } from '../testing/app/browser.ts';
import { makeUser, signInto } from '../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../testing/app/test-app.ts';
import { eventually } from '../testing/machine/eventually.ts';
import { createStrangerQueue, createStrangerQueues, installStrangerQueues } from './strangers.ts';

const never = 3_600_000;
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a queue of strangers', () => {
  /** `begun` contains the turns in the order in which they began. */
  const setUp = (limits: Partial<Parameters<typeof createStrangerQueue>[0]> = {}) => {
    const queue = createStrangerQueue({ atOnce: 2, longest: never, room: 100, ...limits });
    const begun: string[] = [];
    const come = (address: string, name = address) => {
      const { turn, leave } = queue.enter(address);
      return { turn: turn.then(() => void begun.push(name)), leave };
    };
    return { queue, begun, come };
  };

  test('works on some at once, and lets addresses take turns', async () => {
    const { queue, begun, come } = setUp();
    const flood = [1, 2, 3, 4, 5].map((index) => come('flood', `flood ${index}`));
    const all = [...flood, come('a'), come('b')];
    await settle();
    expect([begun, queue.length()]).toEqual([['flood 1', 'flood 2'], 5]);
    for (const { leave } of all) {
      leave();
      // oxlint-disable-next-line no-await-in-loop -- each end begins the next turn
      await settle();
    }
    expect(begun.slice(0, 5)).toEqual(['flood 1', 'flood 2', 'flood 3', 'a', 'b']);
    expect(queue.length()).toBe(0);
  });

  test('a turn that is ended twice makes room for one', async () => {
    const { begun, come } = setUp({ atOnce: 1 });
    const [first] = ['a', 'b', 'c'].map((address) => come(address));
    first?.leave();
    first?.leave();
    await settle();
    expect(begun).toEqual(['a', 'b']);
  });

  test('a turn that takes too long no longer counts', async () => {
    const { begun, come } = setUp({ atOnce: 1, longest: 1 });
    await Promise.all(['slow', 'next'].map((address) => come(address).turn));
    expect(begun).toEqual(['slow', 'next']);
  });

  test('whoever leaves while waiting has no turn, and makes room', async () => {
    const { queue, begun, come } = setUp({ atOnce: 1, room: 4 });
    const [first, second] = [come('a'), come('a', 'gone')];
    expect(() => come('a')).toThrow(expect.objectContaining({ code: 'busy' }));
    second.leave();
    expect(queue.length()).toBe(0);
    const third = come('a', 'third');
    first.leave();
    await third.turn;
    expect(begun).toEqual(['a', 'third']);
  });

  test('rejects those for whom there is no room: one address leaves half of it to the others', async () => {
    const { queue, begun, come } = setUp({ atOnce: 4, room: 4 });
    const [first] = [come('flood', '1'), come('flood', '2')];
    expect(() => come('flood', '3')).toThrow(expect.objectContaining({ code: 'busy', status: 503, retryAfter: 2 }));
    await come('a').turn;
    first.leave();
    await come('flood', 'again').turn;
    expect([begun, queue.rejections()]).toEqual([['1', '2', 'a', 'again'], 1]);
  });

  test('refuses those who wait when the server stops', async () => {
    const { queue, come } = setUp({ atOnce: 1 });
    const all = ['a', 'b', 'c'].map((address) => come(address).turn);
    queue.close();
    expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect([queue.length(), queue.rejections()]).toEqual([0, 2]);
  });
});

describe('while strangers fill the queue', () => {
  /** A server that works on one stranger at once. `open` lets the requests be answered. */
  const startServer = async (room = 100) => {
    const queues = createStrangerQueues({ atOnce: 1, longest: never, room });
    const app = Fastify({ forceCloseConnections: true, bodyLimit: 1_000_000 });
    installStrangerQueues(app, {
      queues,
      deviceOf: ({ headers }) => headers['x-device']?.toString(),
      isTrivial: ({ headers }) => headers['x-trivial'] !== undefined,
    });
    const handled: unknown[] = [];
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    app.all('/page', async ({ headers }) => {
      handled.push(headers['x-name']);
      await opened;
      return 'page';
    });
    app.get('/for-applications', { config: { isForApplications: true } }, async () => 'application');
    app.get('/hijacked', (_request, reply) => {
      reply.hijack();
      reply.raw.end('hijacked');
    });
    app.get('/failing', () => {
      throw new Error('as expected');
    });
    app.get('/healthz', async () => 'ok');
    await app.listen({ host: '127.0.0.1', port: 0 });
    onTestFinished(() => app.close());
    const { port } = app.server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const read = (path: string) => fetch(url + path).then((answer) => answer.text());
    const ask = (name: string, headers: Record<string, string> = {}) =>
      fetch(`${url}/page`, { headers: { 'x-name': name, ...headers } }).then((answer) => answer.text());
    /** Sends the headers of a post, and one byte of its body. */
    const postSlowly = async (name: string, length: number) => {
      const arrived = new Promise((resolve) => app.server.once('request', resolve));
      const headers = { 'x-name': name, 'content-type': 'application/json', 'content-length': `${length}` };
      const slow = request(`${url}/page`, { method: 'POST', headers }).on('error', () => undefined);
      slow.write('{');
      await arrived;
      return slow;
    };
    const { visitors } = queues;
    return { app, url, visitors, handled, open, ask, read, postSlowly };
  };

  test('known devices, applications, constant pages and health checks do not wait for them', async () => {
    const { visitors, handled, open, ask, read } = await startServer();
    const strangers = ['first', 'second'].map((name) => ask(name));
    await eventually(() => expect(visitors.length()).toBe(1));
    const others = [ask('known', { 'x-device': '1' }), ask('trivial', { 'x-trivial': 'yes' })];
    await eventually(() => expect(new Set(handled)).toEqual(new Set(['first', 'known', 'trivial'])));
    expect(await Promise.all([read('/healthz'), read('/for-applications')])).toEqual(['ok', 'application']);
    expect(visitors.length()).toBe(1);
    open();
    expect(await Promise.all([...strangers, ...others])).toEqual(['page', 'page', 'page', 'page']);
    expect(handled.at(-1)).toBe('second');
  });

  test('a known device with very many requests waits too', async () => {
    const { visitors, handled, open, ask } = await startServer();
    const all = Array.from({ length: 30 }, (_, index) => ask(`${index}`, { 'x-device': 'one' }));
    // One of those that are queued has the turn.
    await eventually(() => expect([handled.length, visitors.length()]).toEqual([25, 5]));
    open();
    await Promise.all(all);
    visitors.enter('elsewhere');
    expect(await ask('later', { 'x-device': 'one' })).toBe('page');
  });

  test('a turn ends with every kind of answer', async () => {
    const { open, ask, read } = await startServer();
    open();
    expect(await read('/hijacked')).toBe('hijacked');
    expect(await read('/failing')).toContain('as expected');
    expect(await read('/nothing-here')).toContain('not found');
    expect(await ask('next')).toBe('page');
  });

  test('a request whose client has gone takes no turn', async () => {
    const { url, visitors, handled, open, ask } = await startServer();
    const first = ask('first');
    await eventually(() => expect(handled).toEqual(['first']));
    const gone = get(`${url}/page`, { headers: { 'x-name': 'gone' } }).on('error', () => undefined);
    await eventually(() => expect(visitors.length()).toBe(1));
    const last = ask('last');
    await eventually(() => expect(visitors.length()).toBe(2));
    gone.destroy();
    await eventually(() => expect(visitors.length()).toBe(1));
    open();
    expect(await Promise.all([first, last])).toEqual(['page', 'page']);
    expect(handled).toEqual(['first', 'last']);
  });

  test('a small body that does not arrive takes no turn', async () => {
    const { visitors, handled, open, ask, postSlowly } = await startServer();
    open();
    const slow = await postSlowly('slow', 100);
    expect(await ask('quick')).toBe('page');
    expect([handled, visitors.length()]).toEqual([['quick'], 0]);
    slow.destroy();
  });

  test('a large body is not read before its turn', async () => {
    const { visitors, handled, open, ask, postSlowly } = await startServer();
    const first = ask('first');
    await eventually(() => expect(handled).toEqual(['first']));
    const large = await postSlowly('large', 100_000);
    await eventually(() => expect(visitors.length()).toBe(1));
    large.destroy();
    open();
    expect(await first).toBe('page');
  });

  test('those for whom there is no room are asked to come back', async () => {
    const { url, handled, open, ask } = await startServer(2);
    const first = ask('first');
    await eventually(() => expect(handled).toEqual(['first']));
    const refused = await fetch(`${url}/page`);
    expect(refused.status).toBe(503);
    open();
    expect(await first).toBe('page');
  });
});

describe('a flood of sign-ins', () => {
  let testApp: TestApp;
  let person: Browser;
  beforeAll(async () => {
    testApp = await buildTestApp();
    const user = await makeUser(testApp.db, { owns: ['northlab'] });
    person = await signInto(testApp.db, testApp.browser(), user);
    const device = newDeviceCookie(testApp.parts.vault, { uid: user.uid, credentialsAt: user.credentials_at });
    person.cookies.set('opensocial_device', device);
  });
  const lengths = async () => {
    const gauge = testApp.app.metrics.getSingleMetric('opensocial_stranger_queue_length');
    const values = (await gauge?.get())?.values ?? [];
    return Object.fromEntries(values.map(({ labels, value }) => [labels['sender'], value]));
  };

  test('is not finished before what a person who has signed in before does', async () => {
    const strangers = Array.from({ length: 100 }, () => testApp.browser().get('/server/saml/login'));
    expect(await testApp.as(person)(getRole, { params: { server: 'northlab' } })).toBe('admin');
    const page = await testApp.browser().post('/saml/northlab/sso', { SAMLRequest: 'posted by another site' });
    expect(page.form?.fields).toMatchObject({ resubmitted: 'yes' });
    expect(await lengths()).toMatchObject({ visitors: expect.toSatisfy((length: number) => length > 0) });
    const pages = await Promise.all(strangers);
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await lengths()).toEqual({ visitors: 0, applications: 0 });
  });

  test.each(['/oidc/northlab/jwks', '/oidc/northlab/.well-known/openid-configuration', '/saml/northlab/metadata'])(
    'does not delay the applications that ask for %s',
    async (url) => {
      const strangers = Array.from({ length: 100 }, () => testApp.browser().get('/server/saml/login'));
      const asked = await Promise.all(Array.from({ length: 20 }, () => testApp.app.inject({ url })));
      expect(new Set(asked.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
      expect(await lengths()).toMatchObject({ visitors: expect.toSatisfy((length: number) => length > 0) });
      await Promise.all(strangers);
    },
  );
});
