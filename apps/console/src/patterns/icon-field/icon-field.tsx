import type { Icon } from '@opensocial/contract';
import { IconIcons } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ChoiceField } from '../choice-field/choice-field.tsx';
import { IconGlyph } from '../icon-glyph/icon-glyph.tsx';
import { useLibraries } from '../libraries/libraries.ts';

type IconFieldProps = {
  label: string;
  description?: ReactNode;
  /** The icon's SVG markup; '' is none. */
  value: string;
  onChange: (svg: string) => void;
  /** The call that saves a choice, where choosing saves at once; the value follows when it has succeeded. */
  onChoose?: (icon: Icon) => Promise<unknown>;
  /** The same for taking it away (§4, Removing). */
  onRemove?: () => Promise<unknown>;
};

/** An icon from the icon library. */
export function IconField({ label, description, value, onChange, onChoose, onRemove }: IconFieldProps) {
  const { chooseIcon } = useLibraries();
  const handleChoose = async () => {
    const icon = await chooseIcon();
    if (!icon) return;
    await onChoose?.(icon);
    onChange(icon.svg);
  };
  const handleRemove = async () => {
    await onRemove?.();
    onChange('');
  };
  return (
    <ChoiceField
      label={label}
      description={description}
      filled={value !== ''}
      preview={
        value === '' ? <IconIcons size={32} stroke={1.4} aria-hidden="true" /> : <IconGlyph svg={value} size={44} />
      }
      onChoose={handleChoose}
      onRemove={handleRemove}
    />
  );
}
