import { ApiError } from '@opensocial/contract';

/** Records that a body refers to by id; undefined if it refers to none. */
export type Named = readonly { id: number }[] | undefined;

/** Asserts that the records belong to the network. Foreign ones are answered as if they did not exist. */
export const assertOwn = async (named: Named, countOwn: (ids: number[]) => PromiseLike<number>): Promise<void> => {
  const ids = [...new Set(named?.map(({ id }) => id))];
  if (ids.length > 0 && (await countOwn(ids)) !== ids.length) throw new ApiError('not_found');
};
