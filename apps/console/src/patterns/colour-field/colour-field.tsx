import { Popover, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { ColourCircle } from './colour-circle.tsx';
import classes from './colour-field.module.css';
import { ColourPanel } from './colour-panel.tsx';
import { colourName } from './colour-text.ts';

type ColourFieldProps = {
  label: string;
  /** '#rrggbb', or '' for no colour. */
  value: string;
  /** A warning about the colour, for example low contrast. The colour is accepted nevertheless. */
  warning?: string | undefined;
  onChange: (value: string) => void;
};

/** A field with a colour circle that opens a panel. A chosen colour applies at once, so the panel stays open. */
export function ColourField({ label, value, warning, onChange }: ColourFieldProps) {
  const [opened, setOpened] = useState(false);
  const warningId = useId();
  return (
    <div>
      <Popover
        opened={opened}
        onChange={setOpened}
        position="bottom-start"
        width={328}
        shadow="md"
        trapFocus
        returnFocus
        transitionProps={{ duration: 120 }}
        // Without room below or above, the panel covers the field instead of leaving the window.
        middlewares={{ flip: true, shift: { crossAxis: true, padding: 8 } }}
      >
        <Popover.Target>
          <UnstyledButton
            className={classes.field}
            aria-describedby={warningId}
            onClick={() => setOpened((isOpen) => !isOpen)}
          >
            <ColourCircle value={value} />
            <span className={classes.label}>{label}</span>
            <span className={classes.value}>
              <span className="visually-hidden">{colourName(value)}</span> {value === '' ? 'no colour' : value}
            </span>
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown className={classes.dropdown}>
          <ColourPanel label={label} value={value} onChange={onChange} />
        </Popover.Dropdown>
      </Popover>
      <p id={warningId} className={classes.warning} role="status">
        {warning && (
          <>
            <IconAlertTriangle size={15} stroke={1.8} aria-hidden="true" />
            {warning}
          </>
        )}
      </p>
    </div>
  );
}
