import { Combobox, Modal, TextInput, useCombobox } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import classes from './destination-list.module.css';
import type { Destination } from './use-destinations.ts';

type DestinationGroup = { label: string; destinations: readonly Destination[] };

type DestinationListProps = {
  title: string;
  placeholder: string;
  search: string;
  onSearch: (search: string) => void;
  groups: readonly DestinationGroup[];
  busy: boolean;
  /** A text below the options, for example that there are more results. */
  note?: string | undefined;
  /** The text if nothing is found, where more than that can be said. */
  missing?: string | undefined;
  onClose: () => void;
};

/** A dialog with a search field and a list of destinations. Arrow keys select, Enter opens. */
export function DestinationList(props: DestinationListProps) {
  return (
    <Modal.Root
      opened
      onClose={props.onClose}
      size={560}
      yOffset="12dvh"
      // Above a side panel that was opened earlier.
      zIndex={310}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={props.title}>
        <Choice {...props} />
      </Modal.Content>
    </Modal.Root>
  );
}

/** A component of its own, because the first option can be selected only after the dialog has rendered it. */
function Choice(props: DestinationListProps) {
  const { title, placeholder, search, onSearch, busy, note, missing, onClose } = props;
  const navigate = useNavigate();
  const combobox = useCombobox({ opened: true, onDropdownClose: onClose });
  const groups = props.groups.filter(({ destinations }) => destinations.length > 0);
  const shown = groups.map(({ destinations }) => destinations.map(({ to }) => to).join(' ')).join(' ');
  useEffect(() => {
    combobox.selectFirstOption();
    // oxlint-disable-next-line react/exhaustive-deps -- Enter opens the first of the shown destinations
  }, [shown]);

  const none = busy ? 'Loading…' : (missing ?? `No results for “${search.trim()}”`);
  const handleChoose = (to: string) => {
    onClose();
    void navigate(to);
  };
  return (
    <Combobox store={combobox} onOptionSubmit={handleChoose}>
      <Combobox.EventsTarget withExpandedAttribute>
        <TextInput
          classNames={{ input: classes.input ?? '' }}
          // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- the target around it brings them
          role="combobox"
          aria-label={title}
          placeholder={placeholder}
          leftSection={<IconSearch size={18} />}
          leftSectionWidth={48}
          autoComplete="off"
          spellCheck={false}
          autoFocus
          data-autofocus
          value={search}
          onChange={(event) => onSearch(event.currentTarget.value)}
        />
      </Combobox.EventsTarget>
      <Combobox.Options className={classes.options} aria-label={title} mah={380}>
        {groups.map(({ label, destinations }) => (
          <Combobox.Group key={label} label={label}>
            {destinations.map((destination) => (
              <DestinationOption key={destination.to} {...destination} />
            ))}
          </Combobox.Group>
        ))}
      </Combobox.Options>
      <p className={classes.note} data-below={groups.length > 0 || undefined} role="status">
        {groups.length > 0 ? note : none}
      </p>
    </Combobox>
  );
}

function DestinationOption({ to, label, hint, icon: DestinationIcon }: Destination) {
  return (
    <Combobox.Option value={to} className={classes.option}>
      <DestinationIcon size={18} stroke={1.8} aria-hidden="true" />
      <span className={classes.name}>{label}</span>
      {hint && <span className={classes.hint}>{hint}</span>}
    </Combobox.Option>
  );
}
