import { TextInput, UnstyledButton } from '@mantine/core';
import classes from './date-range.module.css';
import { type DayRange, lastDays, lastDaysInUtc } from './days.ts';

type DateRangeProps = {
  label: string;
  value: DayRange;
  /** Whether days are in the viewer's time zone. Otherwise they are UTC days. */
  isLocal?: boolean;
  onChange: (value: DayRange) => void;
};

const presets = [
  ['Today', 1],
  ['7 days', 7],
  ['30 days', 30],
  ['A year', 365],
] as const;

/** A range of two days, with the browser's date fields and buttons for common ranges. */
export function DateRange({ label, value, isLocal = false, onChange }: DateRangeProps) {
  const last = isLocal ? lastDays : lastDaysInUtc;
  return (
    <fieldset className={classes.range}>
      <legend className={classes.legend}>{label}</legend>
      <div className={classes.days}>
        <TextInput
          type="date"
          label="From"
          value={value.from}
          max={value.to || undefined}
          onChange={(event) => onChange({ ...value, from: event.currentTarget.value })}
        />
        <TextInput
          type="date"
          label="To"
          value={value.to}
          min={value.from || undefined}
          onChange={(event) => onChange({ ...value, to: event.currentTarget.value })}
        />
      </div>
      <div className={classes.presets}>
        {presets.map(([name, days]) => (
          <UnstyledButton key={name} className={classes.preset} onClick={() => onChange(last(days))}>
            {name}
          </UnstyledButton>
        ))}
      </div>
    </fieldset>
  );
}
