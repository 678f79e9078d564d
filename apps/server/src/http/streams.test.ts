import cookie from '@fastify/cookie';
import { followActivity } from '@opensocial/contract';
import { eq, sql } from 'drizzle-orm';
import Fastify from 'fastify';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { consoleSessions, owners, type users } from '../database/schema.ts';
import { makeUser, signInto } from '../testing/app/builders.ts';
import { listenTo } from '../testing/app/event-stream.ts';
import { buildTestApp, type TestApp } from '../testing/app/test-app.ts';
import { eventually } from '../testing/machine/eventually.ts';
import { createStreams } from './streams.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await buildTestApp();
});

/** A server with short intervals whose streams send only heartbeats, and a client on a real socket. */
const listenAs = async (user: typeof users.$inferSelect) => {
  const stopped = vi.fn();
  const app = Fastify({ forceCloseConnections: 'idle' });
  await app.register(cookie);
  const streams = createStreams(app, testApp.parts, { heartbeat: 20, recheck: 20 });
  app.get('/server/sso/activity_live/:server', (asked, reply) => streams(followActivity, asked, reply, () => stopped));
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const browser = await signInto(testApp.db, testApp.browser(), user);
  return { app, stopped, ...(await listenTo(app, '/server/sso/activity_live/northlab', browser)) };
};

describe('a stream of events', () => {
  test('has headers against caching, buffering and compression, and sends heartbeats', async () => {
    const { headers, until } = await listenAs(await makeUser(testApp.db));
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(headers['content-encoding']).toBeUndefined();
    await until((heard) => heard.includes('event: beat'));
  });

  test('ends when its session does', async () => {
    const user = await makeUser(testApp.db);
    const { ended, stopped } = await listenAs(user);
    await testApp.db.delete(consoleSessions).where(eq(consoleSessions.user_id, user.id));
    await ended;
    expect(stopped).toHaveBeenCalledOnce();
  });

  test('ends when the role changes, so that the next one is authorised anew', async () => {
    const user = await makeUser(testApp.db, { owns: ['northlab'] });
    const { ended, stopped } = await listenAs(user);
    await testApp.db.delete(owners).where(eq(owners.email, user.email));
    await ended;
    expect(stopped).toHaveBeenCalledOnce();
  });

  test('does not prolong the session', async () => {
    const user = await makeUser(testApp.db);
    const { until, ended } = await listenAs(user);
    const unused = sql`now() - interval '29 minutes'`;
    await testApp.db.update(consoleSessions).set({ last_seen_at: unused }).where(eq(consoleSessions.user_id, user.id));
    await until((heard) => heard.split('event: beat').length > 6);
    const [session] = await testApp.db.select().from(consoleSessions).where(eq(consoleSessions.user_id, user.id));
    expect(Date.now() - (session?.last_seen_at.getTime() ?? 0)).toBeGreaterThan(28 * 60_000);
    await testApp.db
      .update(consoleSessions)
      .set({ last_seen_at: sql`now() - interval '31 minutes'` })
      .where(eq(consoleSessions.user_id, user.id));
    await ended;
  });

  test('is removed as soon as the client has disconnected', async () => {
    const { close, stopped } = await listenAs(await makeUser(testApp.db));
    close();
    await eventually(() => expect(stopped).toHaveBeenCalledOnce());
  });

  test('ends at once when the server stops', async () => {
    const { app, ended, stopped } = await listenAs(await makeUser(testApp.db));
    await Promise.all([app.close(), ended]);
    expect(stopped).toHaveBeenCalledOnce();
  });
});
