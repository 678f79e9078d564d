import { Select } from '@mantine/core';
import { type AttributePreset, attributePresets } from '@opensocial/contract';
import { useState } from 'react';
import { ConfirmDialog } from '../../../patterns/confirm/confirm-dialog.tsx';
import { toAttribute, toRow } from './attribute-rows.ts';
import classes from './attributes.module.css';
import type { AttributesForm, AttributesValues } from './use-attributes-form.ts';

/** Whether the NameID and the attributes are as a preset has them, so that nothing is lost by choosing another one. */
const isPreset = ({ name_id_format, name_id_source, attributes }: AttributesValues, preset: AttributePreset): boolean =>
  name_id_source === 'email' &&
  name_id_format === preset.name_id_format &&
  JSON.stringify(attributes?.map(toAttribute) ?? null) === JSON.stringify(preset.attributes);

type PresetFieldProps = {
  form: AttributesForm;
  /** Called with the keys of the rows that have to be filled in. */
  onApplied: (incomplete: string[]) => void;
};

/** Fills in the NameID and the attributes for a common application. */
export function PresetField({ form, onApplied }: PresetFieldProps) {
  const [asked, setAsked] = useState<AttributePreset>();
  const current = attributePresets.find((preset) => isPreset(form.values, preset));
  const apply = (preset: AttributePreset) => {
    const rows = preset.attributes && preset.attributes.map(toRow);
    form.setValues({ name_id_format: preset.name_id_format, name_id_source: 'email', attributes: rows });
    form.clearErrors();
    setAsked(undefined);
    onApplied((rows ?? []).filter(({ source, lines }) => source === 'constant' && lines === '').map(({ key }) => key));
  };
  const handleChoice = (id: string | null) => {
    const preset = attributePresets.find((each) => each.id === id);
    if (!preset) return;
    if (current) apply(preset);
    else setAsked(preset);
  };
  return (
    <>
      <Select
        label="Preset"
        description={
          current?.description ??
          'The values were edited. Choose a preset to begin with the values for a common application.'
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        placeholder="Custom values"
        data={attributePresets.map(({ id, label }) => ({ value: id, label }))}
        value={current?.id ?? null}
        onChange={handleChoice}
        allowDeselect={false}
        searchable
        nothingFoundMessage="No preset has this name."
        maxDropdownHeight={420}
        renderOption={({ option }) => (
          <span className={classes.option}>
            <span>{option.label}</span>
            <span className={classes.detail}>
              {attributePresets.find(({ id }) => id === option.value)?.description}
            </span>
          </span>
        )}
        comboboxProps={{ withinPortal: false }}
      />
      {asked && (
        <ConfirmDialog
          title="Replace the attributes?"
          text={`The NameID and the attributes of the form are replaced by those of ${asked.label}. Nothing is saved yet.`}
          action="Replace the attributes"
          onConfirm={() => apply(asked)}
          onCancel={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
