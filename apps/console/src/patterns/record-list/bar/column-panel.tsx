import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import type { MenuButtonProps } from '../../lazy-menu/lazy-menu.tsx';
import { OpeningPopover } from '../../lazy-menu/opening-popover.tsx';
import type { ColumnChoice } from '../model/use-column-choice.ts';
import classes from './column-menu.module.css';
import panelClasses from './filter-panel.module.css';

type ColumnPanelProps = { target: ReactElement<MenuButtonProps>; choice: ColumnChoice };

/** Chooses the columns of a list. Choices apply at once. */
export function ColumnPanel({ target, choice: { options, setShown, reset } }: ColumnPanelProps) {
  return (
    <OpeningPopover target={target} label="Columns" className={panelClasses.panel} position="bottom-end" width={230}>
      {() => (
        <>
          <fieldset className={panelClasses.choice}>
            <legend className={panelClasses.legend}>Columns</legend>
            {options.map(({ id, header, isShown }) => (
              <label key={id} className={panelClasses.option}>
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
        </>
      )}
    </OpeningPopover>
  );
}
