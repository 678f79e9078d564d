import { and, eq } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { users } from '../../database/schema.ts';
import { hashPassword, isOutdated } from '../../secrets/passwords.ts';

/**
 * Replaces a hash with outdated parameters after the password was verified. `credentials_at` stays, so that no session
 * ends. If the password was changed meanwhile, nothing happens.
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
