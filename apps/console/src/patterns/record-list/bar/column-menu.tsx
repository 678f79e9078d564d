import { ActionIcon } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { lazy } from 'react';
import { LazyMenu } from '../../lazy-menu/lazy-menu.tsx';
import type { ColumnChoice } from '../model/use-column-choice.ts';
import classes from './column-menu.module.css';

type ColumnMenuProps = { label: string; choice: ColumnChoice };

const load = () => import('./column-panel.tsx');
const ColumnPanel = lazy(async () => ({ default: (await load()).ColumnPanel }));

export function ColumnMenu({ label, choice }: ColumnMenuProps) {
  return (
    <LazyMenu
      load={load}
      popup="dialog"
      renderButton={(opener) => (
        <ActionIcon
          {...opener}
          className={classes.button}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={`Columns of ${label}`}
          title="Columns"
        >
          <IconColumns3 size={18} stroke={1.8} />
        </ActionIcon>
      )}
    >
      {(target) => <ColumnPanel choice={choice} target={target} />}
    </LazyMenu>
  );
}
