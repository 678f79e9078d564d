import { ActionIcon, Button, Popover } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useState } from 'react';
import type { ColumnChoice } from '../model/use-column-choice.ts';
import classes from './column-menu.module.css';
import menuClasses from './filter-menu.module.css';

type ColumnMenuProps = { label: string; choice: ColumnChoice };

/** Chooses the columns of a list. Choices apply at once. */
export function ColumnMenu({ label, choice: { options, setShown, reset } }: ColumnMenuProps) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={230} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon
          className={classes.button}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={`Columns of ${label}`}
          title="Columns"
          onClick={() => setOpened((isOpen) => !isOpen)}
        >
          <IconColumns3 size={18} stroke={1.8} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={menuClasses.panel} aria-label="Columns">
        <fieldset className={menuClasses.choice}>
          <legend className={menuClasses.legend}>Columns</legend>
          {options.map(({ id, header, isShown }) => (
            <label key={id} className={menuClasses.option}>
              <input
                type="checkbox"
                className={classes.box}
                checked={isShown}
                onChange={(event) => setShown(id, event.currentTarget.checked)}
              />
              {header}
            </label>
          ))}
        </fieldset>
        {reset && (
          <Button variant="subtle" size="compact-sm" mt={8} onClick={reset}>
            Show the usual columns
          </Button>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
