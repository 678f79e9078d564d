import { errorText } from '../../api/transport/error-text.ts';
import { showFault } from './show-fault.tsx';

/** §8, the general rule. Whether an error is a toast is the screen's decision. */
export const showError = (error: unknown): void => showFault(errorText(error));
