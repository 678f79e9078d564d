import { csvLine, exportActivity } from '@opensocial/contract';
import type { Queryable } from '../../database/connect.ts';
import type { BindDownload } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { matchOf, scopeOf } from './activity.filters.ts';
import { findFileMatch, findLinesAfter, type Match, type Place, type Scope } from './activity.queries.ts';

const titles = ['time', 'status', 'site', 'email', 'ip_address', 'reason', 'second_factor', 'browser'];

/** Lines per query. The file is streamed, so that it is never in memory as a whole. */
const batchSize = 1_000;

export const activityExportRoutes = (bindDownload: BindDownload, { db }: Parts): void => {
  bindDownload(exportActivity, async ({ params, query, ...viewer }) => ({
    name: `activity-${viewer.network.name}.csv`,
    pieces: linesOf(db, { ...scopeOf(viewer), ...matchOf(params, query) }),
  }));
};

async function* linesOf(db: Queryable, query: Scope & Match): AsyncGenerator<string> {
  // The byte order mark tells spreadsheets that the file is UTF-8.
  yield `\uFEFF${csvLine(titles)}`;
  const match = await findFileMatch(db, query);
  for (let after: Place | undefined; ; ) {
    const rows = await findLinesAfter(db, match, after, batchSize);
    after = rows.at(-1);
    if (!after) return;
    yield rows
      .map(({ login_time, login_status, site, email, ip_address, reason, mfa, user_agent }) =>
        csvLine([login_time.toISOString(), login_status, site, email ?? '', ip_address, reason, mfa ?? '', user_agent]),
      )
      .join('');
  }
}
