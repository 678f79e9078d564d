import { getEmbeddedPages } from '@opensocial/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/transport/caller.ts';

export const embeddedPagesQuery = queryOptions({
  queryKey: ['embedded'],
  queryFn: ({ signal }) => call(getEmbeddedPages, {}, signal),
  staleTime: Number.POSITIVE_INFINITY,
});
