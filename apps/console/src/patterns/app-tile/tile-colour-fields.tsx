import { ColourField } from '../colour-field/colour-field.tsx';
import classes from './tile-colour-fields.module.css';
import { colourWarnings, tileColours } from './tile-colours.ts';
import type { TileLook } from './tile-face.tsx';

type TileColourFieldsProps = {
  app: TileLook;
  onChange: (field: (typeof tileColours)[number][0], colour: string) => void;
};

/** The colours of a tile. One that is hard to read is drawn as it is chosen, and a warning stands below its field. */
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
