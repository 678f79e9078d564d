import { get, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRole } from '@opensocial/contract';
import Fastify from 'fastify';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newDeviceCookie } from '../features/sign-in/credentials/known-devices.ts';
import { makeUser, signInto } from '../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../testing/app/test-app.ts';
import { eventually } from '../testing/machine/eventually.ts';
import { createStrangerQueue, installStrangerQueue } from './strangers.ts';

const never = 3_600_000;
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('the queue of strangers', () => {
  /** `begun` contains the turns in the order in which they began, and `ends` what ends them. */
  const setUp = (limits: Partial<Parameters<typeof createStrangerQueue>[0]> = {}) => {
    const queue = createStrangerQueue({ atOnce: 2, longest: never, room: 100, ...limits });
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const come = async (address: string, name = address) => {
      const leave = await queue.enter(address);
      begun.push(name);
      ends.push(leave);
    };
    return { queue, begun, ends, come };
  };

  test('works on some at once, and lets addresses take turns', async () => {
    const { queue, begun, ends, come } = setUp();
    const all = [...[1, 2, 3, 4, 5].map((index) => come('flood', `flood ${index}`)), come('a'), come('b')];
    await settle();
    expect([begun, queue.length()]).toEqual([['flood 1', 'flood 2'], 5]);
    for (let index = 0; index < all.length; index += 1) {
      ends[index]?.();
      // oxlint-disable-next-line no-await-in-loop -- each end begins the next turn
      await settle();
    }
    await Promise.all(all);
    expect(begun).toEqual(['flood 1', 'flood 2', 'flood 3', 'a', 'b', 'flood 4', 'flood 5']);
    expect(queue.length()).toBe(0);
  });

  test('a turn that is ended twice makes room for one', async () => {
    const { begun, ends, come } = setUp({ atOnce: 1 });
    const all = ['a', 'b', 'c'].map((address) => come(address));
    await settle();
    ends[0]?.();
    ends[0]?.();
    await settle();
    expect(begun).toEqual(['a', 'b']);
    ends[1]?.();
    await Promise.all(all);
  });

  test('a turn that takes too long no longer counts', async () => {
    const { begun, come } = setUp({ atOnce: 1, longest: 1 });
    await Promise.all(['slow', 'next'].map((address) => come(address)));
    expect(begun).toEqual(['slow', 'next']);
  });

  test('rejects those for whom there is no room: one address leaves half of it to the others', async () => {
    const { queue, begun, ends, come } = setUp({ atOnce: 4, room: 4 });
    const flood = [1, 2, 3].map((index) => come('flood', `${index}`));
    await expect(flood[2]).rejects.toMatchObject({ code: 'busy', status: 503, retryAfter: 2 });
    await come('a');
    ends[0]?.();
    await come('flood', 'again');
    expect([begun, queue.rejections()]).toEqual([['1', '2', 'a', 'again'], 1]);
  });
});

describe('while strangers fill the queue', () => {
  /** A server that works on one stranger at once. `open` lets the requests be answered. */
  const startServer = async () => {
    const queue = createStrangerQueue({ atOnce: 1, longest: never, room: 100 });
    const app = Fastify({ forceCloseConnections: true });
    installStrangerQueue(app, queue, ({ headers }) => headers['x-known'] !== undefined);
    const handled: unknown[] = [];
    let open = () => undefined as unknown;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    app.all('/page', async ({ headers }) => {
      handled.push(headers['x-name']);
      await opened;
      return 'page';
    });
    app.get('/healthz', async () => 'ok');
    await app.listen({ host: '127.0.0.1', port: 0 });
    onTestFinished(() => app.close());
    const { port } = app.server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const ask = (name: string, headers: Record<string, string> = {}) =>
      fetch(`${url}/page`, { headers: { 'x-name': name, ...headers } }).then((answer) => answer.text());
    return { app, url, queue, handled, open: () => open(), ask };
  };

  test('known devices and health checks do not wait', async () => {
    const { url, queue, handled, open, ask } = await startServer();
    const strangers = ['first', 'second'].map((name) => ask(name));
    await eventually(() => expect(queue.length()).toBe(1));
    const known = ask('known', { 'x-known': 'yes' });
    await eventually(() => expect(handled).toEqual(['first', 'known']));
    expect(await (await fetch(`${url}/healthz`)).text()).toBe('ok');
    expect(queue.length()).toBe(1);
    open();
    expect(await Promise.all([...strangers, known])).toEqual(['page', 'page', 'page']);
    expect(handled).toEqual(['first', 'known', 'second']);
  });

  test('a request whose client has gone takes no turn', async () => {
    const { url, queue, handled, open, ask } = await startServer();
    const first = ask('first');
    await eventually(() => expect(handled).toEqual(['first']));
    const gone = get(`${url}/page`, { headers: { 'x-name': 'gone' } }).on('error', () => undefined);
    await eventually(() => expect(queue.length()).toBe(1));
    const last = ask('last');
    await eventually(() => expect(queue.length()).toBe(2));
    const closed = new Promise((resolve) => gone.once('close', resolve));
    gone.destroy();
    await closed;
    open();
    expect(await Promise.all([first, last])).toEqual(['page', 'page']);
    expect(handled).toEqual(['first', 'last']);
  });

  test('a body that does not arrive takes no turn', async () => {
    const { app, url, queue, handled, open, ask } = await startServer();
    open();
    const arrived = new Promise((resolve) => app.server.once('request', resolve));
    const headers = { 'content-type': 'application/json', 'content-length': '100' };
    const slow = request(`${url}/page`, { method: 'POST', headers }).on('error', () => undefined);
    slow.write('{');
    await arrived;
    expect(await ask('quick')).toBe('page');
    expect([handled, queue.length()]).toEqual([['quick'], 0]);
    slow.destroy();
  });
});

describe('a flood of sign-ins', () => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await buildTestApp();
  });
  const lengthOfQueue = async () => {
    const gauge = testApp.app.metrics.getSingleMetric('opensocial_stranger_queue_length');
    return (await gauge?.get())?.values[0]?.value;
  };

  test('is not finished before the call of a person who has signed in before', async () => {
    const user = await makeUser(testApp.db, { owns: ['northlab'] });
    const browser = await signInto(testApp.db, testApp.browser(), user);
    const device = newDeviceCookie(testApp.parts.vault, { uid: user.uid, credentialsAt: user.credentials_at });
    browser.cookies.set('opensocial_device', device);
    const strangers = Array.from({ length: 100 }, () => testApp.browser().get('/server/saml/login'));
    expect(await testApp.as(browser)(getRole, { params: { server: 'northlab' } })).toBe('admin');
    expect(await lengthOfQueue()).toBeGreaterThan(0);
    const pages = await Promise.all(strangers);
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await lengthOfQueue()).toBe(0);
  });
});
