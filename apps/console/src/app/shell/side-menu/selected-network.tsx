import { initialOf } from '@opensocial/look/initial';
import { IconSelector } from '@tabler/icons-react';
import { usePage } from '../../../patterns/page/use-page.ts';
import classes from './selected-network.module.css';

type SelectedNetworkProps = {
  /** Undefined if no network could be opened. */
  name: string | undefined;
  collapsed: boolean;
  onSwitch: () => void;
};

/** The name of the selected network. A click opens the network switcher. */
export function SelectedNetwork({ name, collapsed, onSwitch }: SelectedNetworkProps) {
  const shown = usePage().network ?? name ?? 'No network';
  return (
    <button
      type="button"
      className={classes.network}
      data-collapsed={collapsed || undefined}
      aria-haspopup="dialog"
      title={shown}
      onClick={onSwitch}
    >
      <span className={classes.plate} aria-hidden="true">
        {name === undefined ? '–' : initialOf(shown)}
      </span>
      <span className={classes.words}>
        <span className={classes.label}>Network </span>
        <span className={classes.name}>{shown}</span>
      </span>
      <IconSelector className={classes.chevron} size={16} stroke={1.8} aria-hidden="true" />
    </button>
  );
}
