import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import type { Listed } from '../../../api/transport/paged-query.ts';
import type { BulkAction } from '../model/list-description.ts';

type BulkActionsProps<Row extends Listed> = { actions: readonly BulkAction<Row>[]; ticked: readonly Row[] };

/** The bulk actions. They are enabled when rows are ticked. */
export function BulkActions<Row extends Listed>({ actions, ticked }: BulkActionsProps<Row>) {
  const buttons = actions.filter(({ more }) => !more);
  const more = actions.filter((action) => action.more);
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
        <Menu position="bottom-end" width={240} withinPortal={false} disabled={disabled}>
          <Menu.Target>
            <Button variant="default" disabled={disabled} rightSection={<IconChevronDown size={16} />}>
              more actions
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {more.map(({ label, icon: ActionIcon, onAct }) => (
              <Menu.Item key={label} leftSection={<ActionIcon size={16} stroke={1.8} />} onClick={() => onAct(ticked)}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  );
}
