import { useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { useMemo } from 'react';
import type { Column } from './list-description.ts';

export type ColumnChoice = {
  /** The columns that can be hidden: all but the first, which names the row. */
  options: readonly { id: string; header: string; isShown: boolean }[];
  setShown: (id: string, isShown: boolean) => void;
  /** Undefined while the columns are the usual ones. */
  reset: (() => void) | undefined;
};

/** The width at which a list has room for its extra columns. */
const roomForExtra = '(min-width: 87.5em)';

/** Another page of the product, or a person, may have stored something else. */
const readHidden = (text: string | undefined): readonly string[] | null => {
  try {
    const stored: unknown = JSON.parse(text ?? 'null');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : null;
  } catch {
    return null;
  }
};

/**
 * The columns of a list that the viewer sees, in their order. The browser remembers the choice, because it depends on the size of the
 * screen. Until there is one, extra columns are shown where they have room.
 */
export const useColumnChoice = <Row>(
  all: readonly Column<Row>[],
  storedAs: string | undefined,
): { columns: readonly Column<Row>[]; choice: ColumnChoice | undefined } => {
  const hasRoom = useMediaQuery(roomForExtra, undefined, { getInitialValueInEffect: false }) ?? true;
  const [stored, setStored] = useLocalStorage<readonly string[] | null>({
    key: `opensocial-columns-${storedAs}`,
    defaultValue: null,
    getInitialValueInEffect: false,
    deserialize: readHidden,
  });
  return useMemo(() => {
    if (storedAs === undefined) return { columns: all, choice: undefined };
    const [first, ...others] = all;
    const hidden = stored ?? others.filter(({ extra }) => extra && !hasRoom).map(({ id }) => id);
    const isShown = ({ id }: { id: string }) => !hidden.includes(id);
    return {
      columns: [...(first ? [first] : []), ...others.filter(isShown)],
      choice: {
        options: others.map(({ id, header }) => ({ id, header, isShown: isShown({ id }) })),
        setShown: (id, shown) => setStored(shown ? hidden.filter((each) => each !== id) : [...hidden, id]),
        reset: stored === null ? undefined : () => setStored(null),
      },
    };
  }, [all, storedAs, stored, setStored, hasRoom]);
};
