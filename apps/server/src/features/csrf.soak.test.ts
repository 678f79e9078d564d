import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { callsByNoun, changesState, listOidcKeys } from '@opensocial/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, launchBrowser, type Page } from '../../../../e2e/support/browser.ts';
import { socialIdentities } from '../database/schema.ts';
import { makePasskey, makeUser, networkNamed, password } from '../testing/app/builders.ts';
import { inputOf, makeThings } from '../testing/app/call-inputs.ts';
import { buildTestApp, type TestApp } from '../testing/app/test-app.ts';
import { reportFigure } from '../testing/machine/figures.ts';
import { freePort } from '../testing/machine/free-port.ts';

/** A call as another site can try it: only the address and the fields are known there. */
type Target = { name: string; method: string; url: string; fields: Record<string, string>; json: string };

let testApp: TestApp;
let chromium: Browser;
/** The console in a browser in which an owner of the main network and of northlab is signed in. */
let page: Page;
let attacker: Server;
let origin: string;
let targets: Target[];

/** The fields of a form can only hold texts. */
const toFields = (body: Record<string, unknown> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );

beforeAll(async () => {
  const port = await freePort();
  origin = `http://localhost:${port}`;
  testApp = await buildTestApp({ PUBLIC_URL: origin });
  await testApp.app.listen({ host: '127.0.0.1', port });

  const user = await makeUser(testApp.db, { network: 'northlab', owns: ['northlab', 'opensocial'] });
  chromium = await launchBrowser();
  page = await (await chromium.newContext()).newPage();
  await page.goto(`${origin}/server/saml/login`);
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(`${origin}/`);
  // The keys of a network are made when they are first read.
  await page.goto(`${origin}${listOidcKeys.path.build({ server: 'northlab' })}`);

  // After the sign-in, because a passkey is a second factor.
  const link = { user_id: user.id, provider: 'google', subject: user.uid };
  const [login = { id: 0 }] = await testApp.db.insert(socialIdentities).values(link).returning();
  const network = await networkNamed(testApp.db, 'northlab');
  const passkey = await makePasskey(testApp.db, user);
  const world = { user, login: login.id, section: 1, passkey, network, things: await makeThings(testApp, network) };
  targets = Object.values(callsByNoun)
    .flatMap((calls) => Object.entries(calls))
    .filter(([, declared]) => changesState(declared))
    .map(([name, declared]) => {
      const { params = {}, query = {}, body } = inputOf(name, world);
      const asked = new URLSearchParams(query as Record<string, string>).toString();
      return {
        name,
        method: declared.method,
        url: `${origin}${declared.path.build(params as never)}${asked && `?${asked}`}`,
        fields: toFields(body),
        json: JSON.stringify(body ?? {}),
      };
    });

  attacker = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end('<!doctype html><title>Another site</title><p>Win a prize</p>');
  }).listen(0, '127.0.0.1');
  await once(attacker, 'listening');
});

afterAll(async () => {
  await chromium.close();
  attacker.close();
});

/** A digest of every row. The budgets of visitors and the times at which sessions were used change with every request. */
const digestOfData = async (): Promise<Record<string, string>> => {
  const { rows: tables } = await testApp.pool.query<{ name: string }>(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1`,
  );
  const digests: Record<string, string> = {};
  for (const { name } of tables) {
    if (volatile.has(name)) continue;
    const { rows } = await testApp.pool.query<{ digest: string }>(
      `select md5(coalesce(string_agg(md5(t::text), '' order by md5(t::text)), '')) as digest from ${name} t`,
    );
    digests[name] = rows[0]?.digest ?? '';
  }
  return digests;
};

const volatile = new Set(['public.throttles', 'public.console_sessions', 'public.identity_sessions']);

/** Everything that a page can send without the consent of the other site. Resolves when all requests are answered. */
const attackInBackground = (all: Target[]): Promise<void> =>
  (async () => {
    const add = (element: HTMLElement): Promise<void> =>
      new Promise((resolve) => {
        const done = () => resolve();
        element.addEventListener('load', done);
        element.addEventListener('error', done);
        setTimeout(done, 10_000);
        document.body.append(element);
      });
    const submit = async (target: Target, enctype: string, fields: Record<string, string>): Promise<void> => {
      const frame = Object.assign(document.createElement('iframe'), { name: `f${Math.random()}` });
      const form = Object.assign(document.createElement('form'), {
        action: target.url,
        method: 'POST',
        enctype,
        target: frame.name,
      });
      for (const [name, value] of Object.entries(fields))
        form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
      document.body.append(frame);
      await new Promise<void>((resolve) => {
        // The empty frame has loaded before the form is sent.
        frame.addEventListener('load', () => resolve());
        setTimeout(resolve, 10_000);
        document.body.append(form);
        form.submit();
      });
      frame.remove();
      form.remove();
    };
    const send = (url: string, init: RequestInit) =>
      fetch(url, { credentials: 'include', ...init }).then(
        (answer) => void answer.type,
        () => undefined,
      );
    const attack = async (target: Target): Promise<void> => {
      const { url, method, json } = target;
      const link = Object.assign(document.createElement('link'), { rel: 'prefetch', href: url });
      document.head.append(link);
      navigator.sendBeacon(url, json);
      await Promise.all([
        add(Object.assign(document.createElement('img'), { src: url })),
        add(Object.assign(document.createElement('script'), { src: url })),
        add(Object.assign(document.createElement('iframe'), { src: url })),
        submit(target, 'application/x-www-form-urlencoded', { ...target.fields, _method: method }),
        submit(target, 'multipart/form-data', target.fields),
        submit(target, 'text/plain', { [json.slice(0, -1).concat(json === '{}' ? '"x":"' : ',"x":"')]: '"}' }),
        send(url, { method: 'POST', mode: 'no-cors', body: json }),
        send(url, { method: 'POST', mode: 'no-cors', body: new URLSearchParams(target.fields) }),
        send(url, {
          method,
          mode: 'cors',
          ...(method !== 'GET' && { body: json, headers: { 'content-type': 'application/json' } }),
        }),
        send(url, { method: 'GET', mode: 'no-cors' }),
      ]);
    };
    for (let next = 0; next < all.length; next += 6)
      await Promise.all(all.slice(next, next + 6).map((target) => attack(target)));
  })();

/** Leaves the page, as a link or a form does that a person is tricked into. */
const attackByNavigation = async (elsewhere: string, { method, url, fields }: Target): Promise<void> => {
  await page.goto(elsewhere);
  const left = page.waitForEvent('framenavigated');
  await page.evaluate(
    ([address, entries]) => {
      if (!entries) return window.location.assign(address);
      const form = Object.assign(document.createElement('form'), { action: address, method: 'POST' });
      for (const [name, value] of Object.entries(entries))
        form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
      document.body.append(form);
      form.submit();
    },
    [url, method === 'POST' ? fields : undefined] as const,
  );
  await left;
};

/** A page of our own origin that needs no session and runs no script. */
const quietPage = () => page.goto(`${origin}/healthz`);

const isSignedIn = async (): Promise<boolean> => {
  await quietPage();
  return page.evaluate(async () => (await (await fetch('/server/getsession')).text()).includes('"username"'));
};

describe('no request of another origin changes anything', () => {
  test('every call that changes something is tried, in a browser with a session', async () => {
    expect(targets.length).toBeGreaterThan(80);
    expect(await isSignedIn()).toBe(true);
  });

  test.each([
    ['another site', '127.0.0.1'],
    ['another origin of the same site, whose requests have our cookies', 'localhost'],
  ])('from %s', async (kind, host) => {
    const elsewhere = `http://${host}:${(attacker.address() as AddressInfo).port}/`;
    const before = await digestOfData();
    await page.goto(elsewhere);
    await page.evaluate(attackInBackground, targets);
    for (const target of targets.filter(({ method }) => method === 'GET' || method === 'POST'))
      await attackByNavigation(elsewhere, target);
    const after = await digestOfData();
    const changed = Object.keys(before).filter((table) => after[table] !== before[table]);
    reportFigure(`Forged requests from ${kind}`, `${targets.length} calls, ${changed.length} changes`, '0 changes');
    expect(changed).toEqual([]);
    expect(await isSignedIn()).toBe(true);
  });

  test('the same call from the console does', async () => {
    const before = await digestOfData();
    await quietPage();
    const { url, method, json } = targets.find(({ name }) => name === 'setNetworkMode') ?? {
      url: '',
      method: '',
      json: '',
    };
    const status = await page.evaluate(async ([address, init]) => (await fetch(address, init)).status, [
      url,
      { method, body: json, headers: { 'content-type': 'application/json' } },
    ] as const);
    expect(status).toBe(200);
    expect(await digestOfData()).not.toEqual(before);
  });
});
