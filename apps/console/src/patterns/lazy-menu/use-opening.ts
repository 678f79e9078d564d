import { useMounted } from '@mantine/hooks';
import { useState } from 'react';

/**
 * The state of a menu that is mounted closed and opens at once, because Mantine otherwise does not know where to return the
 * focus.
 */
export const useOpening = () => {
  const mounted = useMounted();
  const [wanted, setWanted] = useState(true);
  return [mounted && wanted, setWanted] as const;
};
