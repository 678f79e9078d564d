import { ApiError, getAuditRecord, listAudit, revertChange } from '@opensocial/contract';
import { periodOf } from '../../database/days.ts';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { findEntryOfRecord } from '../trash/trash.service.ts';
import { findNames, findRecord, readRecords } from './audit.queries.ts';
import { describeRevert, revertRecord } from './audit.revert.service.ts';

/** Lets owners read who changed what in their network. */
export const auditRecordRoutes = (bind: Bind, parts: Parts): void => {
  const { db, config } = parts;

  bind(listAudit, async ({ network, params, query }) => {
    const { rows, total } = await readRecords(db, {
      networkId: network.id,
      object: params.object,
      person: params.person,
      period: periodOf(params.time, query.zone),
      keyword: params.keyword,
      lastId: params.lastid,
      size: config.pageSize,
    });
    return { records: rows.map(present), all_records: total };
  });

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
