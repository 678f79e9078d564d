import { ActionIcon, Button, Popover, TextInput } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import classes from './rich-text-toolbar.module.css';

type AddressPopoverProps = {
  label: string;
  icon: Icon;
  value: string;
  hint: string;
  pressed?: boolean;
  /** Returns false if the address is not accepted. */
  onSubmit: (address: string) => boolean;
};

/** A popover with a field for an address. It is inside another form, so it handles Enter itself. */
export function AddressPopover({ label, icon: AddressIcon, value, hint, pressed, onSubmit }: AddressPopoverProps) {
  const [opened, setOpened] = useState(false);
  const [address, setAddress] = useState('');
  const [refused, setRefused] = useState(false);

  const handleOpen = () => {
    setAddress(value);
    setRefused(false);
    setOpened(!opened);
  };
  const handleSubmit = () => {
    const isTaken = onSubmit(address.trim());
    setRefused(!isTaken);
    setOpened(!isTaken);
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    handleSubmit();
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom" width={300} shadow="md" trapFocus>
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={34}
          aria-label={label}
          title={label}
          aria-expanded={opened}
          {...(pressed !== undefined && { 'aria-pressed': pressed })}
          onClick={handleOpen}
        >
          <AddressIcon size={18} stroke={1.8} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={classes.address}>
        <TextInput
          label={`Address of the ${label.toLowerCase()}`}
          description={hint}
          value={address}
          error={refused && 'This address cannot be used here'}
          onChange={(event) => setAddress(event.currentTarget.value)}
          onKeyDown={handleKey}
          data-autofocus
        />
        <Button size="sm" onClick={handleSubmit}>
          {value !== '' && address.trim() === ''
            ? `Remove the ${label.toLowerCase()}`
            : `Set the ${label.toLowerCase()}`}
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}
