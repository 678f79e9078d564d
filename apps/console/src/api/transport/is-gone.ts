import { ApiError } from '@opensocial/contract';

/** Whether a record no longer exists, or belongs to another network. */
export const isGone = (error: Error | null): boolean => error instanceof ApiError && error.status === 404;
