import { followActivity } from '@opensocial/contract';
import type { BindStream } from '../../http/streams.ts';
import type { Parts } from '../../parts.ts';
import { createFeed } from './activity.feed.ts';
import { findLinesAmong, presentLine } from './activity.queries.ts';
import { matchOf, scopeOf } from './asked.ts';

/** The feed tells that there is something; which of it a listener may and wants to see, the list's own question decides. */
export const activityLiveRoutes = (bindStream: BindStream, parts: Parts): void => {
  const feed = createFeed(parts);
  bindStream(followActivity, ({ query, ...viewer }, { send, end }) => {
    const asked = { ...scopeOf(viewer), ...matchOf(query) };
    let turn = Promise.resolve();
    const tell = async (ids: readonly number[]) => {
      const lines = await findLinesAmong(parts.db, asked, ids);
      if (lines.length > 0) send(lines.map(presentLine));
    };
    // One that fails ends the stream: the browser comes back, and is told the last half minute again.
    return feed.follow(viewer.network.id, (ids) => {
      turn = turn.then(() => tell(ids)).catch(end);
    });
  });
};
