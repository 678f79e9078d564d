import { initialOf } from '@opensocial/look/initial';
import classes from './selected-network.module.css';

type SelectedNetworkProps = { name: string };

export function SelectedNetwork({ name }: SelectedNetworkProps) {
  return (
    <div className={classes.network}>
      <span className={classes.plate} aria-hidden="true">
        {initialOf(name)}
      </span>
      <span className={classes.words}>
        <span className={classes.label}>Network </span>
        <span className={classes.name} title={name}>
          {name}
        </span>
      </span>
    </div>
  );
}
