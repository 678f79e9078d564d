import { csvLine, exportUsers } from '@opensocial/contract';
import type { Queryable } from '../../database/connect.ts';
import { periodOf } from '../../database/days.ts';
import type { BindDownload } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { findUsersAfter, type UsersQuery } from './users.queries.ts';

const titles = ['email', 'firstname', 'lastname', 'status', 'user_mode', 'created', 'last_login', 'signup_server'];

/** Users per query. The file is streamed, so that it is never in memory as a whole. */
const batchSize = 1_000;

export const userExportRoutes = (bindDownload: BindDownload, { db }: Parts): void => {
  bindDownload(exportUsers, async ({ network, params, query: { zone } }) => {
    const query = {
      status: params.filter,
      mode: params.user_mode,
      period: periodOf(params.time, zone),
      keyword: params.keyword,
    };
    return { name: `users-${network.name}.csv`, pieces: linesOf(db, network.id, query) };
  });
};

async function* linesOf(db: Queryable, networkId: number, query: UsersQuery): AsyncGenerator<string> {
  // The byte order mark tells spreadsheets that the file is UTF-8.
  yield `\uFEFF${csvLine(titles)}`;
  for (let lastId = 0; ; ) {
    const rows = await findUsersAfter(db, networkId, query, lastId, batchSize);
    const last = rows.at(-1);
    if (!last) return;
    lastId = last.id;
    yield rows
      .map(({ email, firstname, lastname, status, user_mode, created_at, last_login_at, signup_server }) =>
        csvLine([
          email,
          firstname,
          lastname,
          status,
          user_mode,
          created_at.toISOString(),
          last_login_at?.toISOString() ?? '',
          signup_server,
        ]),
      )
      .join('');
  }
}
