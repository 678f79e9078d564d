import { Button, NativeSelect, TextInput } from '@mantine/core';
import { Fragment, type ReactElement, useState } from 'react';
import { DateRange } from '../../date-range/date-range.tsx';
import type { MenuButtonProps } from '../../lazy-menu/lazy-menu.tsx';
import { OpeningPopover } from '../../lazy-menu/opening-popover.tsx';
import type { ChoiceFilter } from '../model/list-description.ts';
import type { FilterMenuProps, Values } from './filter-menu.tsx';
import classes from './filter-panel.module.css';

type FilterPanelProps = FilterMenuProps & { target: ReactElement<MenuButtonProps> };

/** Choices apply at once, also quick choices of days. Texts and dates apply with the button. */
export function FilterPanel({ target, filters, chosen, onChoose }: FilterPanelProps) {
  return (
    <OpeningPopover
      target={target}
      label="filter by"
      className={classes.panel}
      position="bottom-start"
      width={350}
      // On a small screen the panel scrolls.
      middlewares={{ flip: true, shift: true, size: true }}
    >
      {(close) => (
        <FilterForm
          filters={filters}
          chosen={chosen}
          onChoose={(values) => {
            onChoose(values);
            close();
          }}
        />
      )}
    </OpeningPopover>
  );
}

function FilterForm({ filters, chosen, onChoose }: FilterMenuProps) {
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
