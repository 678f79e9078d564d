import { Button } from '@mantine/core';
import { IconDatabaseOff, IconSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Notice } from '../notice/notice.tsx';

type EmptyListProps = { text: string; hint: ReactNode; search: string; filtered: boolean; onShowAll: () => void };

/** The text of §2.2 with a hint how to fill the list, or a button that clears the search and the filters. */
export function EmptyList({ text, hint, search, filtered, onShowAll }: EmptyListProps) {
  if (search === '' && !filtered) {
    return (
      <Notice icon={<IconDatabaseOff />} title={text}>
        {hint}
      </Notice>
    );
  }
  return (
    <Notice
      icon={<IconSearch />}
      title={text}
      action={
        <Button variant="default" onClick={onShowAll}>
          Show all
        </Button>
      }
    >
      {search === '' ? 'No results for this filter' : `No results for “${search}”`}
    </Notice>
  );
}
