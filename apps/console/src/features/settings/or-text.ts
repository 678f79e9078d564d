import { ApiError } from '@opensocial/contract';
import { errorText } from '../../api/error-text.ts';

/** SPEC 8: the server's own words, or the fallback where it said nothing. */
export const orText = (error: unknown, fallback: string): string =>
  error instanceof ApiError && error.cause !== undefined ? errorText(error) : fallback;
