import { errorFieldText } from '../../api/transport/error-text.ts';
import { showFault } from './show-fault.tsx';

/** §8: for screens that show the field `error` of the answer instead of its message. */
export const showErrorField = (error: unknown): void => showFault(errorFieldText(error));
