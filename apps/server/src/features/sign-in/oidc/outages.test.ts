import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { makeUser } from '../../../testing/app/builders.ts';
import { OidcClient, toTokens } from '../../../testing/app/oidc-client.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';
import { execute } from '../../../testing/machine/database.ts';
import { eventually } from '../../../testing/machine/eventually.ts';

let testApp: TestApp;
let client: OidcClient;
let browser: ReturnType<TestApp['browser']>;
beforeAll(async () => {
  testApp = await buildTestApp();
  client = await OidcClient.of(testApp);
  browser = testApp.browser();
  await client.code(browser, (await makeUser(testApp.db)).email);
});

const name = () => testApp.pool.options.database ?? '';
let isAway = false;

/** Ends the connections of the app and hides its database, so that it can open no others. */
const takeDatabaseAway = async (): Promise<void> => {
  await execute(`alter database ${name()} allow_connections false`);
  await eventually(async () => {
    await execute(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name()}'`);
    await execute(`alter database ${name()} rename to ${name()}_away`);
  });
  isAway = true;
};

const bringDatabaseBack = async (): Promise<void> => {
  if (isAway) await execute(`alter database ${name()}_away rename to ${name()}`);
  isAway = false;
  await execute(`alter database ${name()} allow_connections true`);
};

const send = () => testApp.pool.query.bind(testApp.pool) as (...given: unknown[]) => Promise<unknown>;

/** The recorder of exchanges and error pages writes in its own time, also during a request, and its queries are not those of the request. */
const isOfRecorder = (query: unknown): boolean =>
  /site_exchanges|unknown_arrivals|error_references/.test(JSON.stringify(query));

/** Lets some queries pass and takes the database away before the next one. Returns the number of queries that came. */
const interruptAfter = (passing: number) => {
  const usual = send();
  const seen = { count: 0 };
  const interrupted = async (...given: unknown[]) => {
    if (isOfRecorder(given[0])) return usual(...given);
    seen.count += 1;
    if (seen.count === passing + 1) await takeDatabaseAway();
    return usual(...given);
  };
  Object.assign(testApp.pool, { query: interrupted });
  const stop = async (): Promise<void> => {
    Object.assign(testApp.pool, { query: usual });
    await bringDatabaseBack();
  };
  return { seen, stop };
};
afterEach(bringDatabaseBack);

/** The answer to a request whose database goes away after so many queries, and whether it went away at all. */
const answerAfter = async <T>(passing: number, request: () => Promise<T>) => {
  const { seen, stop } = interruptAfter(passing);
  const answer = await request().finally(stop);
  return { answer, isInterrupted: seen.count > passing };
};

const unavailable = { error: 'temporarily_unavailable', error_description: expect.any(String) };

/** The grant types. Each function prepares a grant and returns the token request for it. */
const grants = {
  'a code': async () => {
    const code = await client.code(browser, undefined, { scope: 'openid offline_access' });
    return () => client.exchange(code);
  },
  'a refresh token': async () => {
    const { refresh } = await client.tokens(browser);
    return () => client.refresh(refresh);
  },
};

const interruptedGrant = async (prepare: (typeof grants)[keyof typeof grants], passing: number) => {
  const request = await prepare();
  return { request, ...(await answerAfter(passing, request)) };
};

describe('while the database is away', () => {
  test.for(Object.entries(grants))(
    '%s gets an honest refusal after any number of queries, and works later unless it was used up',
    async ([, prepare]) => {
      const outcomes: string[] = [];
      let last = await interruptedGrant(prepare, 0);
      for (let passing = 1; last.isInterrupted; passing += 1) {
        expect([passing, last.answer.status, last.answer.headers['retry-after']]).toEqual([passing, 503, '2']);
        expect(last.answer.body).toEqual(unavailable);
        expect(last.answer.headers['cache-control']).toMatch(/no-store/);
        const again = await last.request();
        outcomes.push(again.status === 200 ? 'works' : String(again.body['error']));
        last = await interruptedGrant(prepare, passing);
      }
      expect(last.answer.status).toBe(200);
      // The library marks the code or the refresh token as used before it stores the tokens.
      expect(outcomes.length).toBeGreaterThan(4);
      expect(outcomes[0]).toBe('works');
      expect(outcomes.join(' ')).toMatch(/^works( works)*( invalid_grant)*$/);
      expect(toTokens(await (await prepare())()).access).toBeTruthy();
    },
  );

  test('the other endpoints for programs answer in the same way, and work later', async () => {
    const { access } = await client.tokens(browser);
    const get = (path: string) => testApp.app.inject({ url: `/oidc/northlab/${path}`, headers: { accept: '*/*' } });
    const requests = {
      userinfo: () => client.userinfo(access),
      introspect: () => client.post('introspect', { token: access }),
      par: () =>
        client.post('par', {
          client_id: client.id,
          response_type: 'code',
          redirect_uri: client.redirectUri,
          scope: 'openid',
        }),
      revoke: () => client.post('revoke', { token: access }),
    };
    for (const [endpoint, request] of Object.entries(requests)) {
      const { answer } = await answerAfter(1, request);
      expect([endpoint, answer.status, answer.body]).toEqual([endpoint, 503, unavailable]);
      expect([endpoint, (await request()).status]).toEqual([endpoint, endpoint === 'par' ? 201 : 200]);
    }
    for (const path of ['jwks', '.well-known/openid-configuration']) {
      const { answer } = await answerAfter(0, () => get(path));
      expect([path, answer.statusCode, answer.json()]).toEqual([path, 503, unavailable]);
      expect((await get(path)).statusCode).toBe(200);
    }
  });

  test('a person who signs in sees a page that does not blame the application', async () => {
    for (let passing = 0; ; passing += 1) {
      const { answer, isInterrupted } = await answerAfter(passing, () => browser.get(client.authorizationUrl()));
      if (!isInterrupted) break;
      expect([passing, answer.status]).toEqual([passing, 503]);
      expect(answer.html).toContain('Something went wrong');
      expect(answer.html).not.toContain('not valid');
      expect(answer.url).not.toContain('code=');
    }
    await client.code(browser);
  });
});
