import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { ColourCircle } from './colour-circle.tsx';
import classes from './colour-field.module.css';
import { colourName, rgbText } from './colour-text.ts';
import { PaletteList } from './palette-list.tsx';

const OwnColour = lazy(async () => ({ default: (await import('./own-colour.tsx')).OwnColour }));

type ColourPanelProps = { label: string; value: string; onChange: (value: string) => void };

const ways = ['Palette', 'Own colour'] as const;

/** §2.15, colour palette panel, with a tab for any other colour. */
export function ColourPanel({ label, value, onChange }: ColourPanelProps) {
  const [way, setWay] = useState<(typeof ways)[number]>(value === '' || colourName(value) ? 'Palette' : 'Own colour');
  const [previewed, setPreviewed] = useState<string>();
  const shown = previewed ?? value;
  return (
    <div className={classes.panel}>
      <div className={classes.ways}>
        {ways.map((one) => (
          <button
            key={one}
            type="button"
            className={classes.way}
            aria-pressed={one === way}
            onClick={() => setWay(one)}
          >
            {one}
          </button>
        ))}
        <Button
          className={classes.none ?? ''}
          variant="subtle"
          color="gray"
          size="compact-sm"
          aria-pressed={value === ''}
          onClick={() => onChange('')}
        >
          No colour
        </Button>
      </div>
      <div className={classes.choices}>
        {way === 'Palette' ? (
          <PaletteList label={label} value={value} onChoose={onChange} onPreview={setPreviewed} />
        ) : (
          <Suspense>
            <OwnColour value={value} onChange={onChange} />
          </Suspense>
        )}
      </div>
      <p className={classes.shown}>
        <ColourCircle value={shown} />
        {shown === '' ? (
          'No colour'
        ) : (
          <>
            <strong>{colourName(shown) ?? 'Own colour'}</strong>
            <span>{shown}</span>
            <span>{rgbText(shown)}</span>
          </>
        )}
      </p>
    </div>
  );
}
