import { and, eq } from 'drizzle-orm';
import { nested, type Queryable } from '../../database/connect.ts';
import { contains, readPage } from '../../database/paging.ts';
import { owners } from '../../database/schema.ts';
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
