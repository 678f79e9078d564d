import { Popover, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { ColourCircle } from './colour-circle.tsx';
import classes from './colour-field.module.css';
import { ColourPanel } from './colour-panel.tsx';
import { colourText } from './colour-text.ts';

type ColourFieldProps = {
  label: string;
  /** '#rrggbb', or '' for none. */
  value: string;
  onChange: (value: string) => void;
};

/** A colour circle. What is chosen in its panel shows at once, so the panel stays until it is left. */
export function ColourField({ label, value, onChange }: ColourFieldProps) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-start"
      width={328}
      shadow="md"
      trapFocus
      returnFocus
      transitionProps={{ duration: 120 }}
    >
      <Popover.Target>
        <UnstyledButton
          className={classes.field}
          aria-label={`${label}: ${value === '' ? 'no colour' : colourText(value)}`}
          onClick={() => setOpened((held) => !held)}
        >
          <ColourCircle value={value} />
          <span className={classes.label}>{label}</span>
          <span className={classes.value}>{value === '' ? 'none' : value}</span>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown}>
        <ColourPanel label={label} value={value} onChange={onChange} />
      </Popover.Dropdown>
    </Popover>
  );
}
