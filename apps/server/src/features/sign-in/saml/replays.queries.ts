import { sql } from 'drizzle-orm';
import type { Queryable } from '../../../database/connect.ts';

/** Prevents the replay of a SAML message: returns true for the first call with an id, and false for every later one. */
export const claimMessage = async (db: Queryable, messageId: string, expiresAt: Date): Promise<boolean> => {
  const { rowCount } = await db.execute(
    sql`insert into saml_replays (message_id, expires_at) values (${messageId}, ${expiresAt.toISOString()}) on conflict do nothing`,
  );
  return rowCount === 1;
};
