import { ApiError, type EditedGroup, type Group } from '@opensocial/contract';
import { type Database, type Queryable, type Transaction, violates } from '../../database/connect.ts';
import { actorOf, type Caller } from '../../http/actor.ts';
import { assertUnchanged, readVersion, recordAudit } from '../audit/audit.service.ts';
import { countGroups, getGroup, lockGroup, updateGroup } from './groups.queries.ts';

type GroupChange = { name: string; description: string; version?: number | undefined };

/** A group of a network. */
export const findGroup = async (db: Queryable, networkId: number, id: number): Promise<Group | undefined> =>
  (await countGroups(db, networkId, [id])) > 0 ? getGroup(db, id) : undefined;

/** Changes a group: the row is locked, changed and audited in one transaction. */
export const changeGroup = (
  db: Database,
  caller: Caller,
  id: number,
  changesOf: (group: Group, tx: Transaction) => Promise<GroupChange> | GroupChange,
): Promise<EditedGroup> =>
  db
    .transaction(async (tx) => {
      const subject = `group:${id}` as const;
      const before = await lockGroup(tx, id);
      const { version, ...changes } = await changesOf(before, tx);
      await assertUnchanged(tx, { subject, networkId: caller.network.id, version }, before, changes);
      const after = await updateGroup(tx, id, changes);
      await recordAudit(tx, {
        ...actorOf(caller),
        action: 'update',
        object: 'group',
        subject: `group ${changes.name}`,
        subject_key: subject,
        old_data: before,
        new_data: after,
      });
      return { ...after, version: await readVersion(tx, subject) };
    })
    .catch(rethrowAsGroupExists);

export const rethrowAsGroupExists = (error: unknown): never => {
  if (violates(error, 'groups__network_id__name')) throw new ApiError('group_exists', { cause: error });
  throw error;
};
