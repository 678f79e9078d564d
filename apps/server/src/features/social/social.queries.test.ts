import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { users } from '../../database/schema.ts';
import { makeUser } from '../../testing/app/builders.ts';
import { runWhileLocked } from '../../testing/app/sign-in-pages.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { confirmInvitation } from './social.queries.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await buildTestApp();
});

describe('an invitation that a provider confirms', () => {
  test('is no account if that of another network becomes one at the same moment', async () => {
    const invitation = { email: 'twice@invited.org', provisional: true, password_hash: null };
    const theirs = await makeUser(testApp.db, { ...invitation, network: 'southlab' });
    const ours = await makeUser(testApp.db, invitation);
    const end = await runWhileLocked(
      testApp,
      sql`update users set provisional = false where id = ${theirs.id}`,
      () => confirmInvitation(testApp.db, { kind: 'site', network_id: ours.home_network_id }, invitation.email),
      async () => {},
    );
    expect(end).toEqual({ status: 'fulfilled', value: undefined });
    const [stored] = await testApp.db.select().from(users).where(eq(users.id, ours.id));
    expect(stored?.provisional).toBe(true);
  });
});
