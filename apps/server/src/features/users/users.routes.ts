import {
  ApiError,
  changeUser,
  createUser,
  getAllSignupStatistics,
  getSignupStatistics,
  getUser,
  listUsers,
  removeUser,
  resendInvitation,
  setNeverDisable,
  setUserMode,
  updateUser as updateUserCall,
} from '@opensocial/contract';
import type { Queryable } from '../../database/connect.ts';
import { periodOf } from '../../database/days.ts';
import { actorOf, type Caller } from '../../http/actor.ts';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { readVersion, recordAudit } from '../audit/audit.service.ts';
import { assertGroupsOf } from '../groups/groups.service.ts';
import {
  applyChange,
  assertNamesOwned,
  getMemberForUpdate,
  inviteAgain,
  inviteUser,
  removeMember,
  renameUser,
  toListedRow,
  toUser,
} from './users.accounts.service.ts';
import { countSignups, findMember, readUsers, updateUser } from './users.queries.ts';

export const userRoutes = (bind: Bind, parts: Parts): void => {
  const { db, config } = parts;

  const present = async (caller: Caller, userId: number, queryable: Queryable = db) => {
    const version = await readVersion(queryable, `user:${userId}`);
    const member = await findMember(queryable, caller.network.id, userId);
    if (!member) throw new ApiError('not_found');
    return toUser(member, caller.network.id, version);
  };

  bind(listUsers, async ({ network, params, query }) => {
    const { rows, total, total_is_minimum } = await readUsers(db, network, {
      status: params.filter,
      mode: params.user_mode,
      period: periodOf(params.time, query.zone),
      keyword: params.keyword,
      sort: query.sort,
      counting: query.count,
      lastId: params.lastId,
      size: config.pageSize,
    });
    return { users: rows.map(toListedRow), all_users: total, total_is_minimum, network_mode: network.mode };
  });

  bind(getUser, ({ params, ...caller }) => present(caller, params.user_id));

  bind(createUser, async ({ body, ...caller }) => {
    if (URL.parse(body.signup_from)?.origin !== config.publicUrl) throw new ApiError('origin_unknown');
    const member = await db.transaction((tx) => inviteUser(tx, parts, caller, body));
    return toUser(member, caller.network.id, await readVersion(db, `user:${member.id}`));
  });

  bind(updateUserCall, async ({ body, ...caller }) => {
    return db.transaction(async (tx) => {
      const { user, reach } = await getMemberForUpdate(tx, caller, body.id);
      const shown = await present(caller, user.id, tx);
      const { uid, status = shown.status, user_mode = shown.user_mode, firstname, lastname } = body;
      if (uid !== user.uid || status !== shown.status || user_mode !== shown.user_mode)
        throw new ApiError('user_fixed');
      assertNamesOwned(reach);
      await assertGroupsOf(tx, caller.network.id, body.groups);
      await renameUser(tx, caller, user, { firstname, lastname }, body.based_on);
      return present(caller, user.id, tx);
    });
  });

  bind(setUserMode, async ({ params: { userId, mode }, ...caller }) => {
    await db.transaction((tx) => applyChange(tx, parts, caller, userId, mode));
    return { message: `The account is ${mode === 'Active' ? 'active' : 'disabled'}.` };
  });

  bind(changeUser, async ({ params: { userId, mode }, ...caller }) => {
    await db.transaction((tx) => applyChange(tx, parts, caller, userId, mode));
    return { message: 'The account was changed.' };
  });

  bind(removeUser, async ({ body, ...caller }) => {
    const trash_id = await db.transaction((tx) => removeMember(tx, parts, caller, body.id, body.uid));
    return { message: 'The user was removed from the network.', trash_id };
  });

  bind(setNeverDisable, async ({ body, ...caller }) => {
    const bypass_inactivity = body.bypass_inactivity === 'Yes';
    await db.transaction(async (tx) => {
      const { user } = await getMemberForUpdate(tx, caller, body.user_id);
      await updateUser(tx, user.id, { bypass_inactivity });
      await recordAudit(tx, {
        ...actorOf(caller),
        action: 'update',
        object: 'user',
        subject: `user ${user.email}`,
        old_data: { bypass_inactivity: user.bypass_inactivity },
        new_data: { bypass_inactivity },
      });
    });
    return { message: "User's settings sucessfully updated." };
  });

  bind(resendInvitation, async ({ body, ...caller }) => {
    await db.transaction((tx) => inviteAgain(tx, parts, caller, body.user_id));
    return { message: 'The invitation was sent.' };
  });

  bind(getSignupStatistics, ({ params: { fromDate, toDate }, query: { zone }, network }) =>
    countSignups(db, periodOf(rangeOf(fromDate, toDate), zone), network.id),
  );

  bind(getAllSignupStatistics, ({ params: { fromDate, toDate }, query: { zone } }) =>
    countSignups(db, periodOf(rangeOf(fromDate, toDate), zone)),
  );
};

const rangeOf = (from: string, to: string): string => {
  if (Date.parse(to) < Date.parse(from)) throw new ApiError('range_reversed');
  return `${from},${to}`;
};
