import type { Icon } from '@opensocial/contract';
import { IconGlyph } from '../../patterns/icon-glyph/icon-glyph.tsx';
import classes from './icon-face.module.css';

type IconFaceProps = { icon: Icon };

export function IconFace({ icon: { svg, name } }: IconFaceProps) {
  return (
    <span className={classes.face}>
      <IconGlyph svg={svg} size={30} />
      <span className={classes.name}>{name}</span>
    </span>
  );
}
