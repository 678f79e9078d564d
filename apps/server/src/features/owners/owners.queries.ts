import { and, asc, eq, sql } from 'drizzle-orm';
import { nested, type Queryable } from '../../database/connect.ts';
import { contains, readPage } from '../../database/paging.ts';
import { owners, users } from '../../database/schema.ts';
import { isEffectiveOwner } from '../../identity/membership.ts';

export const readOwners = (
  db: Queryable,
  networkId: number,
  { keyword, ...page }: { keyword?: string | undefined; lastId: number; size: number },
) =>
  readPage(
    db,
    owners,
    {
      id: owners.id,
      owner: owners.email,
      effective: nested<boolean>(isEffectiveOwner(owners.email, owners.network_id)),
    },
    {
      order: { by: owners.email, id: owners.id },
      scope: eq(owners.network_id, networkId),
      match: contains(owners.email, keyword),
      ...page,
    },
  );

export const findOwner = async (db: Queryable, networkId: number, id: number) => {
  const [found] = await db
    .select()
    .from(owners)
    .where(and(eq(owners.id, id), eq(owners.network_id, networkId)));
  return found;
};

export const deleteOwner = async (tx: Queryable, id: number): Promise<boolean> => {
  const { rowCount } = await tx.delete(owners).where(eq(owners.id, id));
  return rowCount === 1;
};

/** The maximum number of open invitations that are listed. */
const maximumInvited = 100;

/** The owners whose invitation is open, and whether the address has an account by now. */
export const findInvitedOwners = (db: Queryable, networkId: number) =>
  db
    .select({
      id: owners.id,
      owner: owners.email,
      hasAccount: nested<boolean>(
        sql`exists (select 1 from users account where account.email = ${owners.email} and not account.provisional)`,
      ),
    })
    .from(owners)
    .innerJoin(
      users,
      and(
        eq(users.email, owners.email),
        eq(users.home_network_id, owners.network_id),
        eq(users.provisional, true),
        eq(users.user_mode, 'Active'),
      ),
    )
    .where(eq(owners.network_id, networkId))
    .orderBy(asc(owners.email), asc(owners.id))
    .limit(maximumInvited);
