import { ApiError } from '@opensocial/contract';
import { errorText } from '../../api/transport/error-text.ts';

const unknownEmail = 'Incorrect email address';
const textsUnderTheForm = ['Invalid email address', 'Invalid verification code or it is already used'];

const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** §8: what stands in place of the form when the link was refused. */
export const verificationFault = (error: unknown): string => (isNotFound(error) ? unknownEmail : errorText(error));

/** Whether it is the link that is of no use: unknown, replaced, used or too old. */
export const isLinkSpent = (error: unknown): boolean =>
  isNotFound(error) || (error instanceof ApiError && error.code === 'token_used');

/** §8: what stands under the form when the confirmation was refused; any other refusal is a toast. */
export const confirmFault = (error: unknown): string | undefined => {
  if (isNotFound(error)) return unknownEmail;
  const text = errorText(error);
  return textsUnderTheForm.includes(text) ? text : undefined;
};
