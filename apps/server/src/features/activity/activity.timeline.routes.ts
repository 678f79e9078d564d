import { ApiError, getUserTimeline } from '@opensocial/contract';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { reachOf } from '../users/users.accounts.service.ts';
import { findUser } from '../users/users.service.ts';
import { readTimeline } from './activity.timeline.service.ts';

/** What happened to a member, as far as an owner of the network may see it. */
export const timelineRoutes = (bind: Bind, { db }: Parts): void => {
  bind(getUserTimeline, async ({ params, query: { kind, after }, network }) => {
    const user = await findUser(db, params.user_id);
    if (!user) throw new ApiError('not_found');
    const isWhole = (await reachOf(db, { network }, user)) === 'account';
    return readTimeline(db, { network, user, isWhole }, { kind, after });
  });
};
