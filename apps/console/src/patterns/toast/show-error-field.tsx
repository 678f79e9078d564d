import { errorFieldText } from '../../api/transport/error-text.ts';
import { showFault } from './show-fault.tsx';

/** §8: for the screens that show the answer's field `error` rather than its message. */
export const showErrorField = (error: unknown): void => showFault(errorFieldText(error));
