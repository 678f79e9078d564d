import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { Fold } from '../../../patterns/fold/fold.tsx';
import classes from '../../../patterns/form/form.module.css';
import { FormError } from '../../../patterns/form/form-error.tsx';
import { NumberField } from '../../../patterns/form/number-field.tsx';
import { AttributeList } from './attribute-list.tsx';
import listClasses from './attributes.module.css';
import type { AttributesForm } from './use-attributes-form.ts';

const maximumLists = 9;

type FurtherListsProps = {
  form: AttributesForm;
  opened: ReadonlySet<string>;
  onOpen: (key: string, isOpen: boolean) => void;
};

/** The lists of attributes that requests ask for by an index (AttributeConsumingServiceIndex). */
export function FurtherLists({ form, opened, onOpen }: FurtherListsProps) {
  const { attribute_index, further_attributes: lists } = form.values;
  const change = (changed: typeof lists) => {
    form.setFieldValue('further_attributes', changed);
    form.clearErrors();
  };
  const adder = useRef<HTMLButtonElement>(null);
  const remove = (position: number) => {
    change(lists.filter((_, other) => other !== position));
    // The button that was pressed disappears with its list.
    adder.current?.focus();
  };
  // A fault opens the part, which then stays open while it is corrected.
  const [isOpen, setIsOpen] = useState(attribute_index !== null || lists.length > 0);
  const hasFault = Object.keys(form.errors).some((field) => /^(?:further_attributes|attribute_index)/.test(field));
  if (hasFault && !isOpen) setIsOpen(true);
  return (
    <Fold title="Lists for requests with an index" opened={isOpen}>
      <p className={classes.hint}>
        Few applications need this: their metadata has several lists of attributes, and a request names one by its index
        (AttributeConsumingServiceIndex). A request with an index that is not listed here is refused. While there is no
        index at all, every request gets the list above.
      </p>
      <IndexField
        form={form}
        path="attribute_index"
        label="Index of the list above"
        description="Optional."
        value={attribute_index}
      />
      {lists.map(({ index, attributes }, position) => (
        // oxlint-disable-next-line react/no-array-index-key -- the position is the path of the list in the form
        <section key={position} className={listClasses.further} aria-label={`List ${index ?? 'without an index'}`}>
          <IndexField
            form={form}
            path={`further_attributes.${position}.index`}
            label="Index of this list"
            value={index}
            required
          />
          <AttributeList
            form={form}
            path={`further_attributes.${position}.attributes`}
            rows={attributes}
            label={`Attributes of the list ${index ?? ''}`}
            emptyHint="No attributes are released: the application learns only the NameID. Add an attribute."
            opened={opened}
            onOpen={onOpen}
          />
          <div>
            <Button variant="default" size="sm" onClick={() => remove(position)}>
              Remove this list
            </Button>
          </div>
        </section>
      ))}
      <FormError>{form.errors['further_attributes']}</FormError>
      <div>
        <Button
          ref={adder}
          variant="default"
          size="sm"
          leftSection={<IconPlus size={16} />}
          disabled={lists.length >= maximumLists}
          onClick={() => change([...lists, { index: null, attributes: [] }])}
        >
          Add a list
        </Button>
      </div>
    </Fold>
  );
}

type IndexFieldProps = {
  form: AttributesForm;
  path: string;
  label: string;
  description?: string;
  value: number | null;
  required?: boolean;
};

function IndexField({ form, path, label, description, value, required = false }: IndexFieldProps) {
  return (
    <NumberField
      label={label}
      description={description}
      min={0}
      max={65_535}
      withAsterisk={required}
      data-path={path}
      error={form.errors[path]}
      value={value ?? ''}
      onChange={({ currentTarget }) =>
        form.setFieldValue(path, currentTarget.value === '' ? null : Number(currentTarget.value))
      }
    />
  );
}
