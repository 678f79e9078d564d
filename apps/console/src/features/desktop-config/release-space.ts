import type { KeyboardEvent } from 'react';

/** Space picks up and drops: let go, it must not press the button as well, which some browsers do. */
export const releaseSpace = (event: KeyboardEvent): void => {
  if (event.key === ' ') event.preventDefault();
};
