import { ApiError, endUserSessions, getUserSecurity, resetUserFactors } from '@opensocial/contract';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { findUser } from './users.queries.ts';
import { endMemberSessions, readSecurity, resetFactors } from './users.security.service.ts';

/** Help desk actions for a member: show their sessions, sign them out, reset lost second factors. */
export const userSecurityRoutes = (bind: Bind, parts: Parts): void => {
  const { db } = parts;

  bind(getUserSecurity, async ({ params, ...caller }) => {
    const user = await findUser(db, params.user_id);
    if (!user) throw new ApiError('not_found');
    return readSecurity(db, caller, user);
  });

  bind(endUserSessions, async ({ body, ...caller }) => {
    await db.transaction((tx) => endMemberSessions(tx, parts, caller, body.user_id));
    return { message: 'The user was signed out.' };
  });

  bind(resetUserFactors, async ({ body, ...caller }) => {
    await db.transaction((tx) => resetFactors(tx, parts, caller, body.user_id));
    return { message: 'The second factors were removed. The user is notified by mail.' };
  });
};
