import { ColorPicker, TextInput } from '@mantine/core';
import { Colour } from '@opensocial/contract';
import { useState } from 'react';
import { colourFrom } from './colour-text.ts';
import classes from './own-colour.module.css';

type OwnColourProps = { value: string; onChange: (value: string) => void };

const start = '#0f766e';

/** A field for any colour, by a picker or a hex code. */
export function OwnColour({ value, onChange }: OwnColourProps) {
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  const [faulty, setFaulty] = useState(false);
  // A colour that was chosen elsewhere replaces the text, but not while the user types.
  if (value !== seen) {
    setSeen(value);
    if (value !== colourFrom(text)) setText(value);
  }
  const handleType = (typed: string) => {
    setText(typed);
    setFaulty(false);
    const hex = colourFrom(typed);
    if (hex) onChange(hex);
  };
  const handleLeave = () => {
    const hex = colourFrom(text);
    setFaulty(text.trim() !== '' && !hex);
    if (hex) setText(hex);
  };
  return (
    <div className={classes.own}>
      <ColorPicker
        classNames={{ saturation: classes.saturation ?? '', thumb: classes.thumb ?? '' }}
        value={value === '' ? start : value}
        onChange={onChange}
        size="lg"
        fullWidth
        saturationLabel="Saturation and brightness"
        hueLabel="Hue"
      />
      <TextInput
        label="Hex value"
        placeholder="#0f766e"
        spellCheck={false}
        autoComplete="off"
        maxLength={7}
        value={text}
        error={faulty && faultText}
        onChange={(event) => handleType(event.currentTarget.value)}
        onBlur={handleLeave}
      />
    </div>
  );
}

const faultText = Colour.safeParse('').error?.issues[0]?.message;
