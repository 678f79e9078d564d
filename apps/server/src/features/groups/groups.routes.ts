import {
  createGroup,
  getGroup as getGroupCall,
  listGroups,
  removeGroup,
  updateGroup as updateGroupCall,
} from '@opensocial/contract';
import { actorOf } from '../../http/actor.ts';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { readVersion, recordAudit } from '../audit/audit.service.ts';
import { assertFreshSignIn } from '../session/session.service.ts';
import { assertSitesOf } from '../sites/sites.service.ts';
import { moveToTrash } from '../trash/trash.service.ts';
import { assertMembersOf } from '../users/users.service.ts';
import { changeGroup, rethrowAsGroupExists } from './groups.changes.service.ts';
import {
  deleteGroup,
  findSitesWithTesters,
  getGroup,
  insertGroup,
  isLastGroup,
  lockGroup,
  readCountedGroups,
} from './groups.queries.ts';

export const groupRoutes = (bind: Bind, parts: Parts): void => {
  const { db, config } = parts;

  bind(listGroups, async ({ network, params: { keyword, lastId } }) => {
    const { rows, total, total_is_minimum } = await readCountedGroups(db, network.id, {
      keyword,
      lastId,
      size: config.pageSize,
    });
    return { groups: rows, all_groups: total, total_is_minimum };
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
          object: 'group',
          subject: `group ${name}`,
          subject_key: `group:${group.id}`,
          new_data: group,
        });
        return group;
      })
      .catch(rethrowAsGroupExists),
  );

  bind(updateGroupCall, ({ body: { id, based_on: version, name, description, sites, users }, ...caller }) =>
    changeGroup(db, caller, id, async (_group, tx) => {
      await assertSitesOf(tx, caller.network.id, sites);
      await assertMembersOf(tx, caller.network.id, users);
      return { name, description, version };
    }),
  );

  bind(removeGroup, async ({ params, ...caller }) => {
    const trashId = await db.transaction(async (tx) => {
      const group = await lockGroup(tx, params.groupId);
      if (await isLastGroup(tx, group.id)) assertFreshSignIn(caller.actor);
      const { id, name: label, description: detail } = group;
      const change = { action: 'delete', object: 'group', subject: `group ${label}`, old_data: group } as const;
      const auditId = await recordAudit(tx, { ...actorOf(caller), ...change });
      const links = (await findSitesWithTesters(tx, id)).map((site) => ({
        table: 'sites' as const,
        column: 'testers_group_id',
        id: site.id,
        value: id,
        expected: null,
        label: `group of testers of ${site.domain}`,
      }));
      const kept = await moveToTrash(tx, parts, caller, { kind: 'group', id, label, detail, auditId, links });
      await deleteGroup(tx, id);
      return kept;
    });
    return { message: 'The group was deleted.', trash_id: trashId };
  });
};
