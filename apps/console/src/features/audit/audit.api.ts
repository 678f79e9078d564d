import {
  AuditObject,
  type AuditRecord,
  exportAudit,
  getAuditRecord,
  listAudit,
  revertChange,
} from '@opensocial/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/transport/caller.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { pagedQuery } from '../../api/transport/paged-query.ts';
import { queryClient } from '../../api/transport/query-client.ts';
import { askForDays, withQuery } from '../../patterns/date-range/days.ts';
import type { ListView } from '../../patterns/record-list/model/list-description.ts';

type ChangesView = Pick<ListView, 'search' | 'filters'>;

/** What a search and filters ask for, and the time zone of their days. */
const askFor = ({ search, filters }: ChangesView) => {
  const { time, zone } = askForDays(filters['time']);
  const object = AuditObject.safeParse(filters['object']).data;
  return { asked: { object, person: filters['person'], time, keyword: search || undefined }, zone };
};

/** The address of the list as a file. */
export const changesFile = ({ name }: NetworkRef, view: ChangesView): string => {
  const { asked, zone } = askFor(view);
  return withQuery(exportAudit.path.build({ server: name, ...asked }), { zone });
};

export const changesQuery = ({ id, name }: NetworkRef, view: ChangesView) => {
  const { asked, zone } = askFor(view);
  return pagedQuery<AuditRecord>({
    // It has the dates, so that a quick choice is loaded again on the next day.
    queryKey: ['audit', 'list', id, asked],
    page: async (lastid, signal, count) => {
      const params = { server: name, lastid, ...asked };
      const { records, all_records, total_is_minimum } = await call(
        listAudit,
        { params, query: { zone, count } },
        signal,
      );
      return { rows: records, total: all_records, isMinimum: total_is_minimum === true };
    },
  });
};

export const changeQuery = ({ id, name }: NetworkRef, recordId: number) =>
  queryOptions({
    queryKey: ['audit', 'record', id, recordId],
    queryFn: ({ signal }) => call(getAuditRecord, { params: { server: name, id: recordId } }, signal),
    // The values never change, but whether the change can be reverted does.
    staleTime: 0,
  });

/** The reverted values may be on any screen. If somebody else was faster, the record says so after it is loaded again. */
export const revertRecord = ({ id, name }: NetworkRef, recordId: number) =>
  mutationOptions({
    mutationKey: ['audit', 'revert', id, recordId],
    mutationFn: () => call(revertChange, { params: { server: name, id: recordId } }),
    onSettled: () => queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' }),
  });
