import { SamlError } from '../errors.ts';

/** Returns the code of the SamlError that `action` throws, or `accepted`. Other errors are bugs and are rethrown. */
export const codeOf = (action: () => unknown): string => {
  try {
    action();
    return 'accepted';
  } catch (error) {
    if (error instanceof SamlError) return error.code;
    throw error;
  }
};
