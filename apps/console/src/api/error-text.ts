import { ApiError } from '@opensocial/contract';

/** SPEC 8: the server's message, otherwise its error or data text, otherwise the HTTP status. */
export const errorText = (error: unknown): string => {
  if (!(error instanceof ApiError)) return 'The server could not be reached. Check your connection and try again.';
  const answer = typeof error.cause === 'object' ? (error.cause as Record<string, unknown> | null) : undefined;
  return [answer?.['message'], answer?.['error'], answer?.['data'], error.cause].find(isText) ?? error.message;
};

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
