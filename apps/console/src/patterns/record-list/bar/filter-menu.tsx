import { Button } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { lazy } from 'react';
import { LazyMenu } from '../../lazy-menu/lazy-menu.tsx';
import type { Filter } from '../model/list-description.ts';

export type Values = Readonly<Record<string, string>>;

export type FilterMenuProps = { filters: readonly Filter[]; chosen: Values; onChoose: (values: Values) => void };

const load = () => import('./filter-panel.tsx');
const FilterPanel = lazy(async () => ({ default: (await load()).FilterPanel }));

export function FilterMenu(props: FilterMenuProps) {
  return (
    <LazyMenu
      load={load}
      popup="dialog"
      renderButton={(opener) => (
        <Button {...opener} variant="default" leftSection={<IconFilter size={17} stroke={1.8} />}>
          filter by
        </Button>
      )}
    >
      {(target) => <FilterPanel {...props} target={target} />}
    </LazyMenu>
  );
}
