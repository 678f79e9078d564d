import { inArray, sql } from 'drizzle-orm';
import { nested, type Queryable } from '../../database/connect.ts';
import { groupUsers, memberships, users } from '../../database/schema.ts';
import { newUid } from '../../secrets/tokens.ts';
import { isMember, type UserRecord } from './users.queries.ts';

/** The accounts with some addresses, whether each is a member, and the groups that it is in, of whatever network. */
export const findAccounts = (db: Queryable, networkId: number, emails: readonly string[]) =>
  db
    .select({
      id: users.id,
      email: users.email,
      isMember: nested<boolean>(isMember(networkId)),
      groupIds: nested<number[]>(
        sql`coalesce((select json_agg(${groupUsers.group_id}) from ${groupUsers} where ${groupUsers.user_id} = ${users.id}), '[]')`,
      ),
    })
    .from(users)
    .where(inArray(users.email, [...emails]));

type Person = { email: string; firstname: string; lastname: string };

/** An account for each address that has none. In one order, so that of two files at once neither waits for the other for ever. */
export const insertAccounts = async (tx: Queryable, networkId: number, people: readonly Person[]): Promise<void> => {
  if (people.length === 0) return;
  await tx
    .insert(users)
    .values(
      people
        .toSorted((one, other) => (one.email < other.email ? -1 : 1))
        .map(({ email, firstname, lastname }) => ({
          uid: newUid(),
          email,
          firstname,
          lastname,
          home_network_id: networkId,
          default_network_id: networkId,
        })),
    )
    .onConflictDoNothing({ target: users.email });
};

/** Makes members of the accounts with some addresses, and answers those that were none before. */
export const insertMembers = async (
  tx: Queryable,
  networkId: number,
  emails: readonly string[],
): Promise<UserRecord[]> => {
  if (emails.length === 0) return [];
  const accounts = await tx
    .select()
    .from(users)
    .where(inArray(users.email, [...emails]))
    .orderBy(users.id);
  if (accounts.length === 0) return [];
  const joined = await tx
    .insert(memberships)
    .values(accounts.map(({ id }) => ({ network_id: networkId, user_id: id })))
    .onConflictDoNothing()
    .returning({ id: memberships.user_id });
  return accounts.filter((account) => joined.some(({ id }) => id === account.id));
};
