import { useId } from 'react';
import classes from './card-choice.module.css';
import formClasses from './form.module.css';

type CardChoiceProps<Value extends string> = {
  label: string;
  options: readonly { value: Value; label: string; description: string }[];
  value: Value | '';
  /** Whether there are many cards, which are laid out in as many columns as fit. */
  many?: boolean;
  disabled?: boolean;
  onChange: (value: Value) => void;
};

/** A choice between a few values that each need a sentence. The cards are radio buttons, so that the arrow keys move between them. */
export function CardChoice<Value extends string>({
  label,
  options,
  value,
  many = false,
  disabled = false,
  onChange,
}: CardChoiceProps<Value>) {
  const id = useId();
  return (
    <fieldset className={formClasses.group} disabled={disabled}>
      <legend className={formClasses.legend}>{label}</legend>
      <div className={classes.cards} data-count={options.length} data-many={many || undefined}>
        {options.map((option) => (
          <label key={option.value} className={classes.card}>
            <input
              type="radio"
              className={classes.radio}
              name={id}
              aria-labelledby={`${id}-${option.value}`}
              aria-describedby={`${id}-${option.value}-text`}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span id={`${id}-${option.value}`} className={classes.name}>
              {option.label}
            </span>
            <span id={`${id}-${option.value}-text`} className={classes.description}>
              {option.description}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
