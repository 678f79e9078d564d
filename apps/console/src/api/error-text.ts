import { ApiError } from '@opensocial/contract';

/** SPEC 8: the server's message, otherwise its error or data text, otherwise the HTTP status. */
export const errorText = (error: unknown): string => {
  if (!(error instanceof ApiError)) return 'The server could not be reached. Check your connection and try again.';
  return saidBy(error) ?? error.message;
};

/** The same for a deed that has a text of its own, for when the server said nothing. */
export const errorTextOr = (error: unknown, fallback: string): string =>
  (error instanceof ApiError ? saidBy(error) : undefined) ?? fallback;

const saidBy = ({ cause }: ApiError): string | undefined => {
  const answer = typeof cause === 'object' ? (cause as Record<string, unknown> | null) : undefined;
  return [answer?.['message'], answer?.['error'], answer?.['data'], cause].find(isText);
};

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
