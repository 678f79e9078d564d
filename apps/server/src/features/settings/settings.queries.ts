import { and, eq, sql } from 'drizzle-orm';
import { nested, type Queryable } from '../../database/connect.ts';
import { networkSettings, passkeys, users } from '../../database/schema.ts';
import { isUnusedFor } from './settings.inactivity.ts';

export type SettingsRecord = typeof networkSettings.$inferSelect;

/** The settings of a network; every network has a row. With a row lock if they are about to change. */
export const readSettings = async (db: Queryable, networkId: number, isHeld = false): Promise<SettingsRecord> => {
  const query = db.select().from(networkSettings).where(eq(networkSettings.network_id, networkId));
  const [settings] = await (isHeld ? query.for('update') : query);
  if (!settings) throw new Error(`The network ${networkId} has no settings.`);
  return settings;
};

export const updateSettings = async (
  tx: Queryable,
  networkId: number,
  changes: Partial<SettingsRecord>,
): Promise<SettingsRecord> => {
  const [settings] = await tx
    .update(networkSettings)
    .set(changes)
    .where(eq(networkSettings.network_id, networkId))
    .returning();
  if (!settings) throw new Error(`The network ${networkId} has no settings.`);
  return settings;
};

/** Whether an account has neither a passkey nor an authenticator app nor email codes. */
export const hasNoFactor = sql`not ${users.email_mfa} and ${users.totp_secret} is null
  and not ${nested(sql`exists (select 1 from ${passkeys} where ${passkeys.user_id} = ${users.id})`)}`;

export const lacksFactor = async (db: Queryable, userId: number): Promise<boolean> =>
  (await db.$count(users, and(eq(users.id, userId), hasNoFactor))) > 0;

/** How many accounts whose home is this network have an old password, no second factor, or no recent sign-in. */
export const countAffected = async (
  db: Queryable,
  networkId: number,
  { months, days }: { months: number; days: number },
) => {
  const [counted] = await db
    .select({
      users: sql<number>`count(*)`.mapWith(Number),
      oldPasswords: sql<number>`count(*) filter (
        where ${users.password_changed_at} < now() - make_interval(months => ${months}))`.mapWith(Number),
      withoutMfa: sql<number>`count(*) filter (where ${hasNoFactor})`.mapWith(Number),
      inactive: sql<number>`count(*) filter (where ${isUnusedFor(sql`${days}`)})`.mapWith(Number),
    })
    .from(users)
    .where(and(eq(users.home_network_id, networkId), eq(users.status, 'Confirmed'), eq(users.user_mode, 'Active')));
  return counted ?? { users: 0, oldPasswords: 0, withoutMfa: 0, inactive: 0 };
};
