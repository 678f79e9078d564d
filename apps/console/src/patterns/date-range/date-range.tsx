import { TextInput, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import classes from './date-range.module.css';
import { type DayRange, quickChoices, rangeText, readDays } from './days.ts';

type DateRangeProps = {
  label: string;
  /** A range as 'YYYY-MM-DD,YYYY-MM-DD', or the name of a quick choice. */
  value: string;
  /** Gets an empty text while the range is incomplete or reversed. */
  onChange: (range: string) => void;
  onChoose: (choice: string) => void;
};

/** A range of two days, with the browser's date fields and buttons for common ranges. An incomplete range stays local. */
export function DateRange({ label, value, onChange, onChoose }: DateRangeProps) {
  const [range, setRange] = useState(() => readDays(value));
  const change = (next: DayRange) => {
    setRange(next);
    onChange(rangeText(next));
  };
  return (
    <fieldset className={classes.range}>
      <legend className={classes.legend}>{label}</legend>
      <div className={classes.days}>
        <TextInput
          type="date"
          label="From"
          value={range.from}
          max={range.to || undefined}
          onChange={(event) => change({ ...range, from: event.currentTarget.value })}
        />
        <TextInput
          type="date"
          label="To"
          value={range.to}
          min={range.from || undefined}
          onChange={(event) => change({ ...range, to: event.currentTarget.value })}
        />
      </div>
      <div className={classes.choices}>
        {quickChoices.map((choice) => (
          <UnstyledButton
            key={choice.value}
            className={classes.choice}
            aria-pressed={choice.value === value}
            onClick={() => {
              setRange(readDays(choice.value));
              onChoose(choice.value);
            }}
          >
            {choice.label}
          </UnstyledButton>
        ))}
      </div>
    </fieldset>
  );
}
