import { ActionIcon, Button, Popover } from '@mantine/core';
import { IconPalette } from '@tabler/icons-react';
import { useState } from 'react';
import { textColours } from './choices.ts';
import classes from './rich-text-toolbar.module.css';

type TextColourPopoverProps = { value: string; onChange: (hex: string) => void };

/** §9: 30 text colours. */
export function TextColourPopover({ value, onChange }: TextColourPopoverProps) {
  const [opened, setOpened] = useState(false);
  const choose = (hex: string) => {
    setOpened(false);
    onChange(hex);
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" shadow="md" trapFocus>
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={34}
          aria-label="Text colour"
          title="Text colour"
          aria-expanded={opened}
          style={value === '' ? {} : { color: value }}
          onClick={() => setOpened(!opened)}
        >
          <IconPalette size={18} stroke={1.8} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <div className={classes.swatches} role="group" aria-label="Colours">
          {textColours.map(({ name, hex }) => (
            <button
              key={hex}
              type="button"
              className={classes.swatch}
              style={{ backgroundColor: hex }}
              aria-label={name}
              title={name}
              aria-pressed={value === hex}
              onClick={() => choose(hex)}
            />
          ))}
        </div>
        <Button className={classes.none} variant="default" size="xs" fullWidth onClick={() => choose('')}>
          No colour
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}
