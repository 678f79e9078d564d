import { NumberInput, SegmentedControl } from '@mantine/core';
import { blockDefaults, settingRanges } from '@opensocial/contract/mail';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ColourField } from '../../../../patterns/colour-field/colour-field.tsx';
import { formatDecimal } from '../../../../patterns/format/format.ts';
import classes from './inspector.module.css';

export type Attributes = Readonly<Record<string, unknown>>;
/** Changes settings of a block. Everything typed in one field is one undo step; every choice is a step of its own. */
export type Change = (changes: Attributes, how?: 'typed') => void;

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={classes.part}>
      <legend className={classes.title}>{title}</legend>
      {children}
    </fieldset>
  );
}

type PixelFieldProps = {
  label: string;
  value: unknown;
  range: keyof typeof settingRanges;
  /** The value that applies when the field is empty. Without it, the field cannot be emptied. */
  otherwise?: number;
  onChange: (value: number | null) => void;
};

export function PixelField({ label, value, range, otherwise, onChange }: PixelFieldProps) {
  const [min, max] = settingRanges[range];
  const handleChange = (given: number | string) => {
    if (typeof given === 'number') onChange(given);
    else if (given === '' && otherwise !== undefined) onChange(null);
  };
  return (
    <NumberInput
      label={label}
      size="sm"
      hideControls
      allowDecimal={false}
      allowNegative={false}
      min={min}
      max={max}
      clampBehavior="blur"
      placeholder={otherwise === undefined ? '' : String(otherwise)}
      value={typeof value === 'number' ? value : ''}
      onChange={handleChange}
    />
  );
}

type SpaceFieldsProps = {
  attrs: Attributes;
  /** The values that apply when the fields are empty. A block has no field for a value that is missing here. */
  defaults: { above?: number; below?: number; inside?: number };
  onChange: Change;
};

export function SpaceFields({ attrs, defaults, onChange }: SpaceFieldsProps) {
  const fields = [
    ['above', 'Above'],
    ['below', 'Below'],
    ['inside', 'Inside'],
  ] as const;
  return (
    <div role="group" aria-label="Space in pixels">
      <span className={classes.label} aria-hidden="true">
        Space in pixels
      </span>
      <div className={classes.row}>
        {fields.map(([name, label]) => {
          const usual = defaults[name];
          if (usual === undefined) return null;
          const isGround = name === 'inside' && usual === 0 && textOf(attrs['background']) !== '';
          const otherwise = isGround ? blockDefaults.inside : usual;
          const handleChange = (value: number | null) => onChange({ [name]: value }, 'typed');
          return (
            <PixelField
              key={name}
              label={label}
              range={name}
              otherwise={otherwise}
              value={attrs[name]}
              onChange={handleChange}
            />
          );
        })}
      </div>
    </div>
  );
}

type ChoiceProps<T extends string> = {
  label: string;
  value: T;
  choices: readonly { value: T; label: string }[];
  onChange: (value: T) => void;
};

export function Choice<T extends string>({ label, value, choices, onChange }: ChoiceProps<T>) {
  return (
    <div>
      <span className={classes.label} aria-hidden="true">
        {label}
      </span>
      <SegmentedControl size="xs" fullWidth aria-label={label} value={value} data={[...choices]} onChange={onChange} />
    </div>
  );
}

const sides = [
  { value: 'left', label: 'Left' },
  { value: 'center', label: 'Center' },
  { value: 'right', label: 'Right' },
] as const;
type Side = (typeof sides)[number]['value'];

export function AlignField({ attrs, onChange }: { attrs: Attributes; onChange: Change }) {
  const value = sides.find((side) => side.value === attrs['textAlign'])?.value ?? 'left';
  return (
    <Choice<Side> label="Alignment" value={value} choices={sides} onChange={(textAlign) => onChange({ textAlign })} />
  );
}

type ColourSettingProps = {
  label: string;
  name: string;
  attrs: Attributes;
  /** The colour that 'No colour' stands for. */
  none?: string;
  onChange: Change;
};

export function ColourSetting({ label, name, attrs, none = '', onChange }: ColourSettingProps) {
  return (
    <ColourField label={label} value={textOf(attrs[name])} onChange={(value) => onChange({ [name]: value || none })} />
  );
}

export function ContrastWarning({ ratio }: { ratio: number }) {
  return (
    <p className={classes.warning}>
      <IconAlertTriangle size={17} stroke={1.8} aria-hidden="true" />
      <span>
        Hard to read: the contrast of text and background is {formatDecimal(Math.floor(ratio * 10) / 10)}:1. Choose
        colours with at least 4.5:1.
      </span>
    </p>
  );
}
