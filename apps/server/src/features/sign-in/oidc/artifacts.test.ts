import { eq, sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { identitySessions } from '../../../database/schema.ts';
import { newUid } from '../../../secrets/tokens.ts';
import { makeUser, networkNamed } from '../../../testing/app/builders.ts';
import { OidcClient } from '../../../testing/app/oidc-client.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';
import { eventually } from '../../../testing/machine/eventually.ts';
import { consumeArtifact, upsertArtifact, upsertGrant } from './artifacts.queries.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await buildTestApp();
});

test('an artifact is consumed by one of many requests at the same time', async () => {
  const { id: networkId } = await networkNamed(testApp.db, 'northlab');
  const key = { networkId, kind: 'AuthorizationCode', id: newUid() };
  await upsertArtifact(testApp.db, key, {}, { seconds: 60, isOnce: false });
  const consumed = await Promise.all(Array.from({ length: 20 }, () => consumeArtifact(testApp.db, key)));
  expect(consumed.filter(Boolean)).toHaveLength(1);
});

test.for([true, false])('a session that ends during a request gets no grant (offline: %s)', async (isOffline) => {
  const { db } = testApp;
  const client = await OidcClient.of(testApp);
  const { id: userId, email } = await makeUser(db);
  await client.code(testApp.browser(), email);
  const [session] = await db.select().from(identitySessions).where(eq(identitySessions.user_id, userId));
  const sessionId = session?.id ?? 0;
  const draft = { uid: newUid(), siteId: client.site.id, userId, sessionId, isOffline, days: 1 };
  const { late } = await db.transaction(async (tx) => {
    await tx.delete(identitySessions).where(eq(identitySessions.id, sessionId));
    const requested = upsertGrant(db, draft);
    await eventually(async () => {
      const { rows } = await db.execute(
        sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(rows).toHaveLength(1);
    });
    // The request goes on when this transaction has ended, so it must not be awaited here.
    return { late: { requested } };
  });
  expect(await late.requested).toBeUndefined();
});
