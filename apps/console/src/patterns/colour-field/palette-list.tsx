import { type KeyboardEvent, useState } from 'react';
import { elementBeside } from '../arrow-keys/element-beside.ts';
import classes from './colour-field.module.css';
import { colourName, colourText } from './colour-text.ts';
import { type ColourGroup, palette } from './palette.ts';

type PaletteListProps = {
  label: string;
  value: string;
  onChoose: (hex: string) => void;
  /** Called with the colour under the pointer or the focus. */
  onPreview: (hex: string | undefined) => void;
};

const first = palette[0]?.colours[0]?.hex ?? '';

/** The palette is one tab stop (roving tabindex). Arrow keys move, Enter and space choose. */
export function PaletteList({ label, value, onChoose, onPreview }: PaletteListProps) {
  const chosen = value.toLowerCase();
  const [at, setAt] = useState(colourName(chosen) ? chosen : first);
  const handleKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const swatches = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="option"]')];
    const next = elementBeside(swatches, document.activeElement, event.key);
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  const handleSee = (hex: string | undefined) => {
    onPreview(hex);
    if (hex) setAt(hex);
  };
  return (
    <div
      className={classes.groups}
      role="listbox"
      tabIndex={-1}
      aria-label={label}
      onKeyDown={handleKeyDown}
      onMouseLeave={() => onPreview(undefined)}
      onBlur={() => onPreview(undefined)}
    >
      {palette.map((group) => (
        <SwatchGroup key={group.name} group={group} chosen={chosen} at={at} onChoose={onChoose} onPreview={handleSee} />
      ))}
    </div>
  );
}

type SwatchGroupProps = {
  group: ColourGroup;
  chosen: string;
  at: string;
  onChoose: (hex: string) => void;
  onPreview: (hex: string) => void;
};

function SwatchGroup({ group: { name, columns, colours }, chosen, at, onChoose, onPreview }: SwatchGroupProps) {
  return (
    <div role="group" aria-label={name}>
      <span className={classes.group} aria-hidden="true">
        {name}
      </span>
      <div className={classes.swatches} style={{ gridTemplateColumns: `repeat(${columns}, 1fr)` }}>
        {colours.map(({ hex }) => (
          <button
            key={hex}
            type="button"
            // oxlint-disable-next-line jsx-a11y/no-interactive-element-to-noninteractive-role -- the button is an option of a listbox
            role="option"
            aria-selected={hex === chosen}
            aria-label={colourText(hex)}
            className={classes.swatch}
            style={{ backgroundColor: hex }}
            tabIndex={hex === at ? 0 : -1}
            data-autofocus={hex === at || undefined}
            onClick={() => onChoose(hex)}
            onFocus={() => onPreview(hex)}
            onMouseEnter={() => onPreview(hex)}
          />
        ))}
      </div>
    </div>
  );
}
