import { isShownByForm } from '../../api/sign-in/fresh-sign-in.ts';
import { errorFieldText } from '../../api/transport/error-text.ts';
import { showFault } from './show-fault.tsx';

/** §8: for screens that show the field `error` of the answer instead of its message. */
export const showErrorField = (error: unknown): void => {
  if (!isShownByForm(error)) showFault(errorFieldText(error));
};
