import { Popover, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { ColourCircle } from './colour-circle.tsx';
import classes from './colour-field.module.css';
import { ColourPanel } from './colour-panel.tsx';
import { colourName } from './colour-text.ts';

type ColourFieldProps = {
  label: string;
  /** '#rrggbb', or '' for none. */
  value: string;
  /** What is wrong with the colour, which is taken nevertheless. */
  warning?: string | undefined;
  onChange: (value: string) => void;
};

/** A colour circle. What is chosen in its panel shows at once, so the panel stays until it is left. */
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
        // Where there is no room below or above, it stands over the field instead of beyond the edge.
        middlewares={{ flip: true, shift: { crossAxis: true, padding: 8 } }}
      >
        <Popover.Target>
          <UnstyledButton
            className={classes.field}
            aria-describedby={warningId}
            onClick={() => setOpened((held) => !held)}
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
