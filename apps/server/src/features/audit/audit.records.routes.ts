import { ApiError, csvLine, exportAudit, getAuditRecord, listAudit, revertChange } from '@opensocial/contract';
import type { Queryable } from '../../database/connect.ts';
import { periodOf } from '../../database/days.ts';
import type { Bind, BindDownload } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { findEntryOfRecord } from '../trash/trash.service.ts';
import { findRecord, findRecordsBefore, type RecordPlace, type RecordsFilter, readRecords } from './audit.queries.ts';
import { describeRevert, revertRecord } from './audit.revert.service.ts';
import { putIntoWords, type Worded } from './words/audit.words.ts';

/** Lets owners read who changed what in their network. */
export const auditRecordRoutes = (bind: Bind, bindDownload: BindDownload, parts: Parts): void => {
  const { db, config } = parts;

  bind(listAudit, async ({ network, params, query }) => {
    const page = { lastId: params.lastid, size: config.pageSize, counting: query.count };
    const { rows, total, total_is_minimum } = await readRecords(db, filterOf(network.id, params, query.zone), page);
    return { records: (await putIntoWords(db, network.id, rows)).map(present), all_records: total, total_is_minimum };
  });

  bindDownload(exportAudit, async ({ network, params, query }) => ({
    name: `changes-${network.name}.csv`,
    pieces: linesOf(db, filterOf(network.id, params, query.zone)),
  }));

  bind(getAuditRecord, async ({ network, params }) => {
    const found = await findRecord(db, network.id, params.id);
    if (!found) throw new ApiError('not_found');
    const [worded] = await putIntoWords(db, network.id, [found]);
    if (!worded) throw new Error('The record was not put into words.');
    return {
      ...present(worded),
      revert: await describeRevert(db, network.id, found),
      trash_id: (await findEntryOfRecord(db, network.id, found.id)) ?? null,
      claimed_user: found.claimed_user ?? '',
      claimed_source: found.claimed_source ?? '',
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

/** The last three columns are as they are stored, for programs. */
const titles = ['time', 'change', 'values', 'by', 'ip_address', 'object', 'action', 'description', 'before', 'after'];

/** The values in words, one field per line. */
const valuesText = (fields: Worded['fields']): string =>
  fields
    .filter(({ differs }) => differs)
    .map(({ label, before, after }) => `${label}: ${before === '' ? after : `${before} → ${after || 'none'}`}`)
    .join('\n');

/** Records per query. The file is streamed, so that it is never in memory as a whole. */
const batchSize = 500;

async function* linesOf(db: Queryable, filter: RecordsFilter): AsyncGenerator<string> {
  // The byte order mark tells spreadsheets that the file is UTF-8.
  yield `\uFEFF${csvLine(titles)}`;
  for (let place: RecordPlace | undefined; ; ) {
    const rows = await findRecordsBefore(db, filter, place, batchSize);
    place = rows.at(-1);
    if (!place) return;
    yield (await putIntoWords(db, filter.networkId, rows))
      .map(({ created_at, title, fields, actor, ip_address, object, action, description, old_data, new_data }) => {
        const words = [created_at.toISOString(), title, valuesText(fields), actor, ip_address ?? ''];
        const stored = [old_data, new_data].map((value) => (value === null ? '' : JSON.stringify(value)));
        return csvLine([...words, object, action, description, ...stored]);
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
