import { ApiError, type ErrorBody } from '@opensocial/contract';

const unreachable = 'The server could not be reached. Check your connection and try again.';

/** §8: the server's message, otherwise its error or data text, otherwise the HTTP status. */
export const errorText = (error: unknown): string => {
  if (!(error instanceof ApiError)) return unreachable;
  const { message, error: field, data } = bodyOf(error);
  return message ?? field ?? data ?? error.message;
};

/** The same for screens that show the field `error` of the answer (§8). */
export const errorFieldText = (error: unknown): string =>
  (error instanceof ApiError ? bodyOf(error).error : undefined) ?? errorText(error);

/** The same for an action with its own text, which is shown if the server gave no reason. */
export const errorTextOr = (error: unknown, fallback: string): string => {
  if (!(error instanceof ApiError)) return fallback;
  const { message, error: field, data } = bodyOf(error);
  return message ?? field ?? data ?? fallback;
};

const bodyOf = ({ cause }: ApiError): Partial<ErrorBody> => (typeof cause === 'object' ? (cause ?? {}) : {});
