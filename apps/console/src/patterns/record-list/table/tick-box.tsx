import { useEffect, useRef } from 'react';
import classes from './tick-box.module.css';

type TickBoxProps = {
  label: string;
  checked: boolean;
  indeterminate?: boolean;
  tabIndex?: 0 | -1;
  onChange: () => void;
};

/** A plain input instead of Mantine's checkbox, because a list renders dozens of them. */
export function TickBox({ label, checked, indeterminate = false, tabIndex, onChange }: TickBoxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = indeterminate;
  }, [indeterminate]);
  return (
    <label className={classes.area}>
      <input
        ref={box}
        type="checkbox"
        className={classes.box}
        aria-label={label}
        checked={checked}
        tabIndex={tabIndex}
        onChange={onChange}
      />
    </label>
  );
}
