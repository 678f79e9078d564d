import classes from './effect-list.module.css';

type EffectListProps = { effects: readonly string[] };

/** What a change means for people, one sentence each. */
export function EffectList({ effects }: EffectListProps) {
  if (effects.length === 0) return null;
  return (
    <ul className={classes.list}>
      {effects.map((effect) => (
        <li key={effect}>{effect}</li>
      ))}
    </ul>
  );
}
