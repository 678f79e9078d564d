import {
  ApiError,
  createGroup,
  getGroup as getGroupCall,
  listGroups,
  removeGroup,
  updateGroup as updateGroupCall,
} from '@opensocial/contract';
import { sql } from 'drizzle-orm';
import { violates } from '../../database/connect.ts';
import { actorOf } from '../../http/actor.ts';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { assertUnchanged, readVersion, recordAudit } from '../audit/audit.service.ts';
import { assertFreshSignIn } from '../session/session.service.ts';
import { assertSitesOf } from '../sites/sites.service.ts';
import { assertMembersOf } from '../users/users.service.ts';
import {
  deleteGroup,
  getGroup,
  insertGroup,
  isLastGroup,
  lockGroup,
  readGroups,
  updateGroup,
} from './groups.queries.ts';

export const groupRoutes = (bind: Bind, { db, config }: Parts): void => {
  bind(listGroups, async ({ network, params: { keyword, lastId } }) => {
    const { rows, total } = await readGroups(db, network.id, sql`true`, { keyword, lastId, size: config.pageSize });
    return { groups: rows, all_groups: total };
  });

  bind(getGroupCall, async ({ params }) => {
    const version = await readVersion(db, `group:${params.groupId}`);
    return { ...(await getGroup(db, params.groupId)), version };
  });

  bind(createGroup, async ({ body: { name, description }, ...caller }) =>
    db
      .transaction(async (tx) => {
        const group = await insertGroup(tx, { network_id: caller.network.id, name, description });
        await recordAudit(tx, {
          ...actorOf(caller),
          action: 'create',
          subject: `group ${name}`,
          subject_key: `group:${group.id}`,
          new_data: group,
        });
        return group;
      })
      .catch(orGroupExists),
  );

  bind(updateGroupCall, async ({ body: { id, based_on: version, name, description, sites, users }, ...caller }) =>
    db
      .transaction(async (tx) => {
        await assertSitesOf(tx, caller.network.id, sites);
        await assertMembersOf(tx, caller.network.id, users);
        const subject = `group:${id}` as const;
        const before = await lockGroup(tx, id);
        const save = { subject, networkId: caller.network.id, version };
        await assertUnchanged(tx, save, before, { name, description });
        const after = await updateGroup(tx, id, { name, description });
        await recordAudit(tx, {
          ...actorOf(caller),
          action: 'update',
          subject: `group ${name}`,
          subject_key: subject,
          old_data: before,
          new_data: after,
        });
        return { ...after, version: await readVersion(tx, subject) };
      })
      .catch(orGroupExists),
  );

  bind(removeGroup, async ({ params, ...caller }) => {
    await db.transaction(async (tx) => {
      const group = await getGroup(tx, params.groupId);
      if (await isLastGroup(tx, group.id)) assertFreshSignIn(caller.actor);
      await deleteGroup(tx, group.id);
      await recordAudit(tx, { ...actorOf(caller), action: 'delete', subject: `group ${group.name}`, old_data: group });
    });
    return { message: 'The group was removed.' };
  });
};

const orGroupExists = (error: unknown): never => {
  if (violates(error, 'groups__network_id__name')) throw new ApiError('group_exists', { cause: error });
  throw error;
};
