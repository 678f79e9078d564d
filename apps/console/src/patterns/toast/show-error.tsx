import { isShownByForm } from '../../api/sign-in/fresh-sign-in.ts';
import { errorText } from '../../api/transport/error-text.ts';
import { showFault } from './show-fault.tsx';

/** §8, the general rule. The screen decides whether an error is a toast. */
export const showError = (error: unknown): void => {
  if (!isShownByForm(error)) showFault(errorText(error));
};
