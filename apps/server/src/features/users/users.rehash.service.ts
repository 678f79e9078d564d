import { and, eq } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { users } from '../../database/schema.ts';
import { hashPassword, isOutdated } from '../../secrets/passwords.ts';

/**
 * Replaces a hash of former parameters, once the password is known to be right. `credentials_at` stays, because the password
 * does: no session ends. A password that was changed meanwhile is left alone.
 */
export const renewHash = async (
  db: Queryable,
  user: { id: number; passwordHash: string | null },
  password: string,
): Promise<void> => {
  if (user.passwordHash === null || !isOutdated(user.passwordHash)) return;
  await db
    .update(users)
    .set({ password_hash: await hashPassword(password) })
    .where(and(eq(users.id, user.id), eq(users.password_hash, user.passwordHash)));
};
