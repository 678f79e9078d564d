import { Button } from '@mantine/core';
import { IconDatabaseOff, IconSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Notice } from '../notice/notice.tsx';

type EmptyListProps = { text: string; hint: ReactNode; search: string; filtered: boolean; onShowAll: () => void };

/** §2.2, and below it how to fill the list; or, where a search or filter emptied it, the way back. */
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
      {search === '' ? 'Nothing fits the filter.' : `Nothing fits “${search}”.`}
    </Notice>
  );
}
