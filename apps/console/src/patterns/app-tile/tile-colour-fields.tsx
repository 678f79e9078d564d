import { ColourField } from '../colour-field/colour-field.tsx';
import classes from './tile-colour-fields.module.css';
import { colourWarnings, tileColours } from './tile-colours.ts';
import type { TileLook } from './tile-face.tsx';

type TileColourFieldsProps = {
  app: TileLook;
  onChange: (field: (typeof tileColours)[number][0], colour: string) => void;
};

/** The colour fields of a tile. A colour with low contrast is accepted, with a warning below its field. */
export function TileColourFields({ app, onChange }: TileColourFieldsProps) {
  const warnings: Partial<Record<string, string>> = colourWarnings(app);
  return (
    <div className={classes.colours}>
      {tileColours.map(([field, label]) => (
        <ColourField
          key={field}
          label={label}
          value={app[field]}
          warning={warnings[field]}
          onChange={(colour) => onChange(field, colour)}
        />
      ))}
    </div>
  );
}
