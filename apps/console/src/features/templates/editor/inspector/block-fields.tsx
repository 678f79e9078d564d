import { Button, TextInput } from '@mantine/core';
import { blockDefaults, mailWidth, settingRanges } from '@opensocial/contract/mail';
import {
  AlignField,
  type Attributes,
  type Change,
  Choice,
  ColourSetting,
  PixelField,
  SpaceFields,
  textOf,
} from './setting-fields.tsx';
import { SocialFields } from './social-fields.tsx';

type FieldsProps = {
  attrs: Attributes;
  onChange: Change;
  linkFault: (address: string) => string | undefined;
  onChangeImage: () => void;
};

const box = { above: 0, below: 16, inside: 0 };
const spaces: Readonly<Record<string, { above?: number; below?: number; inside?: number }>> = {
  heading: { ...box, below: 12 },
  mailButton: { ...box, above: 4, below: 20 },
  horizontalRule: { above: 8, below: 24 },
  spacer: {},
  section: { above: 0, below: 0, inside: 32 },
  columns: { ...box, below: 0 },
};

/** The settings of every block except sections and columns. */
export function BlockFields({ type, ...props }: FieldsProps & { type: string }) {
  const { attrs, onChange } = props;
  const own = ownFields[type];
  const hasAlign = ['paragraph', 'heading', 'mailButton', 'mailImage', 'socialLinks'].includes(type);
  const hasGround = !['spacer', 'horizontalRule'].includes(type);
  return (
    <>
      {own?.(props)}
      {hasAlign && <AlignField attrs={attrs} onChange={onChange} />}
      {hasGround && <ColourSetting label="Block background" name="background" attrs={attrs} onChange={onChange} />}
      {type !== 'spacer' && <SpaceFields attrs={attrs} defaults={spaces[type] ?? box} onChange={onChange} />}
    </>
  );
}

const ownFields: Readonly<Record<string, (props: FieldsProps) => React.ReactNode>> = {
  mailButton: (props) => <ButtonFields {...props} />,
  mailImage: (props) => <ImageFields {...props} />,
  socialLinks: (props) => <SocialFields {...props} />,
  spacer: ({ attrs, onChange }) => (
    <PixelField
      label="Height in pixels"
      range="height"
      value={attrs['height']}
      onChange={(height) => onChange({ height }, 'typed')}
    />
  ),
  horizontalRule: ({ attrs, onChange }) => (
    <ColourSetting label="Line colour" name="ink" attrs={attrs} onChange={onChange} />
  ),
};

const buttonWidths = [
  { value: 'label', label: 'Fit the label' },
  { value: 'own', label: 'Custom' },
  { value: 'full', label: 'Full' },
] as const;

function ButtonFields({ attrs, linkFault, onChange }: FieldsProps) {
  const href = textOf(attrs['href']);
  const width = Number(attrs['width']) || 0;
  const kind = width >= mailWidth ? 'full' : width > 0 ? 'own' : 'label';
  const widths = { label: 0, own: 240, full: mailWidth };
  return (
    <>
      <TextInput
        label="Label"
        size="sm"
        value={textOf(attrs['label'])}
        onChange={(event) => onChange({ label: event.currentTarget.value }, 'typed')}
      />
      <TextInput
        label="Link"
        size="sm"
        placeholder="{signup_from}/"
        spellCheck={false}
        autoComplete="off"
        value={href}
        error={linkFault(href) ?? (href === '' && 'A button needs a link')}
        onChange={(event) => onChange({ href: event.currentTarget.value }, 'typed')}
      />
      <ColourSetting
        label="Button colour"
        name="colour"
        attrs={attrs}
        none={blockDefaults.buttonColour}
        onChange={onChange}
      />
      <ColourSetting label="Label colour" name="ink" attrs={attrs} onChange={onChange} />
      <Choice
        label="Width"
        value={kind}
        choices={buttonWidths}
        onChange={(chosen) => onChange({ width: widths[chosen] })}
      />
      {kind === 'own' && (
        <PixelField
          label="Width in pixels"
          range="buttonWidth"
          value={width}
          onChange={(given) => onChange({ width: given ?? settingRanges.buttonWidth[0] }, 'typed')}
        />
      )}
    </>
  );
}

function ImageFields({ attrs, onChange, onChangeImage }: FieldsProps) {
  return (
    <>
      <TextInput
        label="Description"
        description="For people who cannot see the picture"
        size="sm"
        value={textOf(attrs['alt'])}
        onChange={(event) => onChange({ alt: event.currentTarget.value }, 'typed')}
      />
      <PixelField
        label="Width in pixels"
        range="imageWidth"
        value={attrs['width']}
        onChange={(width) => onChange({ width }, 'typed')}
      />
      <Button variant="default" size="sm" onClick={onChangeImage}>
        Change the image
      </Button>
    </>
  );
}

type ContainerFieldsProps = { attrs: Attributes; onChange: Change };

export function SectionFields({ attrs, onChange }: ContainerFieldsProps) {
  return (
    <>
      <ColourSetting label="Background" name="background" attrs={attrs} none="#ffffff" onChange={onChange} />
      <ColourSetting label="Section text colour" name="ink" attrs={attrs} onChange={onChange} />
      <PixelField
        label="Section width in pixels"
        range="sectionWidth"
        value={attrs['width']}
        onChange={(width) => onChange({ width }, 'typed')}
      />
      <SpaceFields attrs={attrs} defaults={spaces['section'] ?? {}} onChange={onChange} />
    </>
  );
}

const counts = [
  { value: '2', label: '2' },
  { value: '3', label: '3' },
] as const;
const layouts = [
  { value: 'equal', label: 'Equal' },
  { value: 'narrow-left', label: '1 : 2' },
  { value: 'narrow-right', label: '2 : 1' },
] as const;
const valigns = [
  { value: 'top', label: 'Top' },
  { value: 'middle', label: 'Middle' },
] as const;

type ColumnsFieldsProps = ContainerFieldsProps & { count: number; onCount: (count: 2 | 3) => void };

export function ColumnsFields({ attrs, count, onChange, onCount }: ColumnsFieldsProps) {
  const layout = layouts.find(({ value }) => value === attrs['layout'])?.value ?? 'equal';
  return (
    <>
      <Choice
        label="Number of columns"
        value={count === 3 ? '3' : '2'}
        choices={counts}
        onChange={(chosen) => onCount(chosen === '3' ? 3 : 2)}
      />
      {count === 2 && (
        <Choice label="Widths" value={layout} choices={layouts} onChange={(chosen) => onChange({ layout: chosen })} />
      )}
      <Choice
        label="Vertical alignment"
        value={attrs['valign'] === 'middle' ? 'middle' : 'top'}
        choices={valigns}
        onChange={(valign) => onChange({ valign })}
      />
      <PixelField
        label="Gap in pixels"
        range="gap"
        otherwise={blockDefaults.columnGap}
        value={attrs['gap']}
        onChange={(gap) => onChange({ gap: gap ?? blockDefaults.columnGap }, 'typed')}
      />
      <ColourSetting label="Columns background" name="background" attrs={attrs} onChange={onChange} />
      <ColourSetting label="Columns text colour" name="ink" attrs={attrs} onChange={onChange} />
      <SpaceFields attrs={attrs} defaults={spaces['columns'] ?? {}} onChange={onChange} />
    </>
  );
}

export function ColumnFields({ attrs, onChange }: ContainerFieldsProps) {
  return (
    <>
      <ColourSetting label="Column background" name="background" attrs={attrs} onChange={onChange} />
      <ColourSetting label="Column text colour" name="ink" attrs={attrs} onChange={onChange} />
      <SpaceFields attrs={attrs} defaults={{ inside: 0 }} onChange={onChange} />
    </>
  );
}
