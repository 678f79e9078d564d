import classes from './colour-field.module.css';

type ColourCircleProps = { value: string };

export function ColourCircle({ value }: ColourCircleProps) {
  return (
    <span
      className={classes.circle}
      data-none={value === '' || undefined}
      style={value === '' ? {} : { backgroundColor: value }}
      aria-hidden="true"
    />
  );
}
