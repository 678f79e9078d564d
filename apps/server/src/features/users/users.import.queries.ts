import { and, inArray, sql } from 'drizzle-orm';
import { nested, type Queryable } from '../../database/connect.ts';
import { groupUsers, users } from '../../database/schema.ts';
import { isListedIn } from './users.queries.ts';

/** The members of a network with the given addresses, including invitations, and their groups. */
export const findMembersByEmail = (db: Queryable, networkId: number, emails: readonly string[]) =>
  db
    .select({
      id: users.id,
      email: users.email,
      groupIds: nested<number[]>(
        sql`coalesce((select json_agg(${groupUsers.group_id}) from ${groupUsers} where ${groupUsers.user_id} = ${users.id}), '[]')`,
      ),
    })
    .from(users)
    .where(and(inArray(users.email, [...emails]), isListedIn(networkId)));
