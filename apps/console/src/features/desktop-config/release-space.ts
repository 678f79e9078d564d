import type { KeyboardEvent } from 'react';

/** Space picks up and drops an app. In some browsers the keyup of space also clicks the button, which this prevents. */
export const releaseSpace = (event: KeyboardEvent): void => {
  if (event.key === ' ') event.preventDefault();
};
