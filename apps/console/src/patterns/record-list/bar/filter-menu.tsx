import { Button, NativeSelect, Popover, TextInput } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { Fragment, useState } from 'react';
import { DateRange } from '../../date-range/date-range.tsx';
import type { ChoiceFilter, Filter } from '../model/list-description.ts';
import classes from './filter-menu.module.css';

type Values = Readonly<Record<string, string>>;

type FilterMenuProps = { filters: readonly Filter[]; chosen: Values; onChoose: (values: Values) => void };

/** Choices apply at once, also quick choices of days. Texts and dates apply with the button. */
export function FilterMenu({ filters, chosen, onChoose }: FilterMenuProps) {
  const [opened, setOpened] = useState(false);
  const choose = (values: Values) => {
    onChoose(values);
    setOpened(false);
  };
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-start"
      width={350}
      shadow="md"
      // On a small screen the panel scrolls.
      middlewares={{ flip: true, shift: true, size: true }}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconFilter size={17} stroke={1.8} />}
          onClick={() => setOpened((isOpen) => !isOpen)}
        >
          filter by
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.panel} aria-label="filter by">
        {opened && <FilterPanel filters={filters} chosen={chosen} onChoose={choose} />}
      </Popover.Dropdown>
    </Popover>
  );
}

function FilterPanel({ filters, chosen, onChoose }: FilterMenuProps) {
  const [typed, setTyped] = useState<Values>(chosen);
  const isTyped = filters.some(({ kind }) => kind !== 'choice');
  const type = (id: string, value: string) => setTyped({ ...typed, [id]: value });
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        onChoose(typed);
      }}
    >
      {filters.map((filter) => {
        const value = typed[filter.id] ?? '';
        if (filter.kind === 'since') return null;
        if ('options' in filter)
          return filter.kind === 'choice' ? (
            <Choice
              key={filter.id}
              filter={filter}
              value={chosen[filter.id] ?? ''}
              onChoose={(picked) => onChoose({ ...chosen, [filter.id]: picked })}
            />
          ) : (
            <NativeSelect
              key={filter.id}
              label={filter.label}
              data={[{ value: '', label: 'All' }, ...withChosen(filter.options, value)]}
              value={value}
              onChange={(event) => type(filter.id, event.currentTarget.value)}
            />
          );
        return (
          <Fragment key={filter.id}>
            {filter.heading && <p className={classes.heading}>{filter.heading}</p>}
            {filter.kind === 'range' ? (
              <DateRange
                label={filter.label}
                value={value}
                onChange={(range) => type(filter.id, range)}
                onChoose={(choice) => onChoose({ ...typed, [filter.id]: choice })}
              />
            ) : (
              <TextInput
                label={filter.label}
                value={value}
                onChange={(event) => type(filter.id, event.currentTarget.value)}
              />
            )}
          </Fragment>
        );
      })}
      {isTyped && (
        <div className={classes.buttons}>
          <Button variant="default" size="sm" onClick={() => onChoose({})}>
            clear filter
          </Button>
          <Button type="submit" size="sm">
            apply filter
          </Button>
        </div>
      )}
    </form>
  );
}

/** A link may choose a value that is not offered. */
const withChosen = (options: ChoiceFilter['options'], value: string) =>
  value === '' || options.some((option) => option.value === value) ? options : [...options, { value, label: value }];

type ChoiceProps = { filter: ChoiceFilter; value: string; onChoose: (value: string) => void };

function Choice({ filter, value, onChoose }: ChoiceProps) {
  return (
    <fieldset className={classes.choice}>
      <legend className={classes.legend}>{filter.label}</legend>
      {filter.options.map((option) => (
        <label key={option.value} className={classes.option}>
          <input
            type="radio"
            name={filter.id}
            value={option.value}
            defaultChecked={option.value === value}
            onChange={() => onChoose(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
