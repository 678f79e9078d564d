import { ApiError } from '@opensocial/contract';

/** Records that a body names; none, where it does not. */
export type Named = readonly { id: number }[] | undefined;

/** What a body names is the network's own; one that is not answers as if it did not exist. */
export const assertOwn = async (named: Named, countOwn: (ids: number[]) => PromiseLike<number>): Promise<void> => {
  const ids = [...new Set(named?.map(({ id }) => id))];
  if (ids.length > 0 && (await countOwn(ids)) !== ids.length) throw new ApiError('not_found');
};
