import { AuditObject, type AuditRecord, getAuditRecord, listAudit } from '@opensocial/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/transport/caller.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { pagedQuery } from '../../api/transport/paged-query.ts';
import type { ListView } from '../../patterns/record-list/model/list-description.ts';

export const changesQuery = ({ id, name }: NetworkRef, { search, filters }: Pick<ListView, 'search' | 'filters'>) =>
  pagedQuery<AuditRecord>({
    queryKey: ['audit', 'list', id, search, filters],
    page: async (lastid, signal) => {
      const params = {
        server: name,
        lastid,
        object: AuditObject.safeParse(filters['object']).data,
        person: filters['person'],
        time: filters['time'],
        keyword: search || undefined,
      };
      const { records, all_records } = await call(listAudit, { params }, signal);
      return { rows: records, total: all_records };
    },
  });

export const changeQuery = ({ id, name }: NetworkRef, recordId: number) =>
  queryOptions({
    queryKey: ['audit', 'record', id, recordId],
    queryFn: ({ signal }) => call(getAuditRecord, { params: { server: name, id: recordId } }, signal),
    // A record never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
