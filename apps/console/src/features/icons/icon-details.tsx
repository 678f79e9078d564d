import type { Icon } from '@opensocial/contract';
import { IconGlyph } from '../../patterns/icon-glyph/icon-glyph.tsx';
import classes from './icon-details.module.css';

type IconDetailsProps = { icon: Icon };

export function IconDetails({ icon: { svg, name, font_type } }: IconDetailsProps) {
  return (
    <div className={classes.details}>
      <div className={classes.plate}>
        <IconGlyph svg={svg} size="52%" />
      </div>
      <h3 className={classes.name}>{name}</h3>
      <dl className={classes.facts}>
        <dt>Icon type</dt>
        <dd>{font_type}</dd>
      </dl>
    </div>
  );
}
