import { followActivity } from '@opensocial/contract';
import type { BindStream } from '../../http/streams.ts';
import type { Parts } from '../../parts.ts';
import { createFeed } from './activity.feed.ts';
import { matchOf, scopeOf } from './activity.filters.ts';
import { findLinesAmong, presentLine } from './activity.queries.ts';

/**
 * The feed reports that there are new lines. The query of the list decides which of them a listener may see and has
 * asked for.
 */
export const activityLiveRoutes = (bindStream: BindStream, parts: Parts): void => {
  const feed = createFeed(parts);
  bindStream(followActivity, ({ query, ...viewer }, { send, end }) => {
    const search = { ...scopeOf(viewer), ...matchOf(query, query) };
    let turn = Promise.resolve();
    const sendLines = async (ids: readonly number[]) => {
      const lines = await findLinesAmong(parts.db, search, ids);
      if (lines.length > 0) send(lines.map(presentLine));
    };
    // An error ends the stream. The browser reconnects and gets the last 30 seconds again.
    return feed.follow(viewer.network.id, (ids) => {
      turn = turn.then(() => sendLines(ids)).catch(end);
    });
  });
};
