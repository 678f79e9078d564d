import {
  ApiError,
  copyUserInvitation,
  endUserSessions,
  getUserSecurity,
  resetUserFactors,
  sendUserReset,
} from '@opensocial/contract';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { copyInvitation, mailReset } from './users.links.owner.service.ts';
import { findUser } from './users.queries.ts';
import { endMemberSessions, readSecurity, resetFactors } from './users.security.service.ts';

/** Help desk actions for a member: show their state, send links, sign them out, reset lost second factors. */
export const userSecurityRoutes = (bind: Bind, parts: Parts): void => {
  const { db } = parts;

  bind(getUserSecurity, async ({ params, ...caller }) => {
    const user = await findUser(db, params.user_id);
    if (!user) throw new ApiError('not_found');
    return readSecurity(parts, caller, user);
  });

  bind(sendUserReset, async ({ body, ...caller }) => {
    await db.transaction((tx) => mailReset(tx, parts, caller, body.user_id));
    return { message: 'The link for a new password was sent.' };
  });

  bind(copyUserInvitation, ({ body, ...caller }) =>
    db.transaction((tx) => copyInvitation(tx, parts, caller, body.user_id)),
  );

  bind(endUserSessions, async ({ body, ...caller }) => {
    await db.transaction((tx) => endMemberSessions(tx, parts, caller, body.user_id));
    return { message: 'The user was signed out.' };
  });

  bind(resetUserFactors, async ({ body, ...caller }) => {
    await db.transaction((tx) => resetFactors(tx, parts, caller, body.user_id));
    return { message: 'The second factors were removed. The user is notified by email.' };
  });
};
