import { ApiError } from '@opensocial/contract';
import { errorText } from '../../api/transport/error-text.ts';

const unknownEmail = 'Incorrect email address';
const textsUnderTheForm = ['Invalid email address', 'Invalid verification code or it is already used'];

const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** §8: the text shown in place of the form if the server refused the link. */
export const verificationFault = (error: unknown): string => (isNotFound(error) ? unknownEmail : errorText(error));

/** Whether the link is invalid: unknown, replaced, used or expired. */
export const isLinkInvalid = (error: unknown): boolean =>
  isNotFound(error) || (error instanceof ApiError && error.code === 'token_used');

/** §8: the text below the form if the server refused the confirmation. Other errors are toasts. */
export const confirmFault = (error: unknown): string | undefined => {
  if (isNotFound(error)) return unknownEmail;
  const text = errorText(error);
  return textsUnderTheForm.includes(text) ? text : undefined;
};
