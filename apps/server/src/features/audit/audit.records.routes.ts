import { ApiError, csvLine, exportAudit, getAuditRecord, listAudit, revertChange } from '@opensocial/contract';
import type { Queryable } from '../../database/connect.ts';
import { periodOf } from '../../database/days.ts';
import type { Bind, BindDownload } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { findEntryOfRecord } from '../trash/trash.service.ts';
import {
  findNames,
  findRecord,
  findRecordsBefore,
  type RecordPlace,
  type RecordsFilter,
  readRecords,
} from './audit.queries.ts';
import { describeRevert, revertRecord } from './audit.revert.service.ts';

/** Lets owners read who changed what in their network. */
export const auditRecordRoutes = (bind: Bind, bindDownload: BindDownload, parts: Parts): void => {
  const { db, config } = parts;

  bind(listAudit, async ({ network, params, query }) => {
    const page = { lastId: params.lastid, size: config.pageSize };
    const { rows, total } = await readRecords(db, filterOf(network.id, params, query.zone), page);
    return { records: rows.map(present), all_records: total };
  });

  bindDownload(exportAudit, async ({ network, params, query }) => ({
    name: `changes-${network.name}.csv`,
    pieces: linesOf(db, filterOf(network.id, params, query.zone)),
  }));

  bind(getAuditRecord, async ({ network, params }) => {
    const found = await findRecord(db, network.id, params.id);
    if (!found) throw new ApiError('not_found');
    return {
      ...present(found),
      revert: await describeRevert(db, network.id, found),
      trash_id: (await findEntryOfRecord(db, network.id, found.id)) ?? null,
      claimed_user: found.claimed_user ?? '',
      claimed_source: found.claimed_source ?? '',
      names: await findNames(db, network.id, idsOf({ ...asObject(found.old_data), ...asObject(found.new_data) })),
    };
  });

  bind(revertChange, async ({ params, ...caller }) => {
    await revertRecord(parts, caller, params.id);
    return { message: 'The change was reverted.' };
  });
};

type Asked = Omit<RecordsFilter, 'networkId' | 'period'> & { time?: string | undefined };

const filterOf = (
  networkId: number,
  { object, person, time, keyword }: Asked,
  zone: string | undefined,
): RecordsFilter => ({ networkId, object, person, period: periodOf(time, zone), keyword });

const titles = ['time', 'object', 'action', 'description', 'by', 'ip_address', 'before', 'after'];

/** Records per query. The file is streamed, so that it is never in memory as a whole. */
const batchSize = 500;

async function* linesOf(db: Queryable, filter: RecordsFilter): AsyncGenerator<string> {
  // The byte order mark tells spreadsheets that the file is UTF-8.
  yield `\uFEFF${csvLine(titles)}`;
  for (let place: RecordPlace | undefined; ; ) {
    const rows = await findRecordsBefore(db, filter, place, batchSize);
    place = rows.at(-1);
    if (!place) return;
    yield rows
      .map(({ created_at, object, action, description, actor, ip_address, old_data, new_data }) => {
        const values = [old_data, new_data].map((value) => (value === null ? '' : JSON.stringify(value)));
        return csvLine([created_at.toISOString(), object, action, description, actor, ip_address ?? '', ...values]);
      })
      .join('');
  }
}

const present = <R extends { ip_address: string | null; created_at: Date }>({
  ip_address,
  created_at,
  ...rest
}: R) => ({
  ...rest,
  ip_address: ip_address ?? '',
  created_at: created_at.toISOString(),
});

const asObject = (data: unknown): Record<string, unknown> =>
  typeof data === 'object' && data !== null && !Array.isArray(data) ? { ...data } : {};

/** A claim may contain anything under these keys. */
const idOf = (value: unknown): number | undefined => (Number.isSafeInteger(value) ? (value as number) : undefined);

const idsOf = ({ group_id, site_id, user_id }: Record<string, unknown>) => ({
  group_id: idOf(group_id),
  site_id: idOf(site_id),
  user_id: idOf(user_id),
});
