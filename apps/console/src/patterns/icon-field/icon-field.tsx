import type { Icon } from '@opensocial/contract';
import { IconIcons } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ChoiceField } from '../choice-field/choice-field.tsx';
import { type ChoiceParts, choiceHandlers } from '../choice-field/choice-handlers.ts';
import { IconGlyph } from '../icon-glyph/icon-glyph.tsx';
import { useLibraries } from '../libraries/libraries.ts';

type IconFieldProps = ChoiceParts<Icon> & {
  label: string;
  description?: ReactNode;
  /** The SVG markup of the icon, or '' for no icon. */
  value: string;
};

/** A field for an icon of the icon library. */
export function IconField({ label, description, value, ...parts }: IconFieldProps) {
  const { chooseIcon } = useLibraries();
  return (
    <ChoiceField
      label={label}
      description={description}
      filled={value !== ''}
      preview={
        value === '' ? <IconIcons size={32} stroke={1.4} aria-hidden="true" /> : <IconGlyph svg={value} size={44} />
      }
      {...choiceHandlers(parts, chooseIcon, ({ svg }) => svg)}
    />
  );
}
