import { SamlError } from '../errors.ts';

/** The code that an action is refused with, or `accepted`; any other error is a fault of ours and passes through. */
export const codeOf = (action: () => unknown): string => {
  try {
    action();
    return 'accepted';
  } catch (error) {
    if (error instanceof SamlError) return error.code;
    throw error;
  }
};
