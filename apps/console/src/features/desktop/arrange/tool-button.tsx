import type { Icon } from '@tabler/icons-react';
import classes from './arrange-dialog.module.css';

type ToolButtonProps = {
  label: string;
  icon: Icon;
  /** Whether it has no effect at present. It is not disabled, because a disabled button would lose the focus. */
  isOff?: boolean;
  onPress: (button: HTMLElement) => void;
};

export function ToolButton({ label, icon: ToolIcon, isOff = false, onPress }: ToolButtonProps) {
  return (
    <button
      type="button"
      className={classes.tool}
      aria-label={label}
      title={label}
      aria-disabled={isOff}
      onClick={({ currentTarget }) => !isOff && onPress(currentTarget)}
    >
      <ToolIcon size={17} stroke={1.8} aria-hidden="true" />
    </button>
  );
}
