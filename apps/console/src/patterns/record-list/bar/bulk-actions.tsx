import { Button } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { lazy } from 'react';
import type { Listed } from '../../../api/transport/paged-query.ts';
import { LazyMenu } from '../../lazy-menu/lazy-menu.tsx';
import type { BulkAction } from '../model/list-description.ts';

type BulkActionsProps<Row extends Listed> = { actions: readonly BulkAction<Row>[]; ticked: readonly Row[] };

const load = () => import('./more-actions.tsx');
const MoreActions = lazy(async () => ({ default: (await load()).MoreActions }));

/** The bulk actions. They are enabled when rows are ticked. */
export function BulkActions<Row extends Listed>({ actions, ticked }: BulkActionsProps<Row>) {
  const buttons = actions.filter(({ more }) => !more);
  const more = actions
    .filter((action) => action.more)
    .map(({ label, icon, onAct }) => ({ label, icon, onAct: () => onAct(ticked) }));
  const disabled = ticked.length === 0;
  return (
    <>
      {buttons.map(({ label, icon: ActionIcon, onAct }) => (
        <Button
          key={label}
          variant="default"
          disabled={disabled}
          leftSection={<ActionIcon size={17} stroke={1.8} />}
          onClick={() => onAct(ticked)}
        >
          {label}
        </Button>
      ))}
      {more.length > 0 && (
        <LazyMenu
          load={load}
          renderButton={(opener) => (
            <Button {...opener} variant="default" disabled={disabled} rightSection={<IconChevronDown size={16} />}>
              more actions
            </Button>
          )}
        >
          {(target) => <MoreActions target={target} actions={more} disabled={disabled} />}
        </LazyMenu>
      )}
    </>
  );
}
