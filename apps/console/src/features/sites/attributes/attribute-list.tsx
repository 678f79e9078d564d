import { Button } from '@mantine/core';
import { maximumAttributes } from '@opensocial/contract';
import { IconPlus } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import formClasses from '../../../patterns/form/form.module.css';
import { FormError } from '../../../patterns/form/form-error.tsx';
import { AttributeRowCard } from './attribute-row-card.tsx';
import { type AttributeRow, blankRow, moveRow, type ReleaseKind } from './attribute-rows.ts';
import classes from './attributes.module.css';
import type { AttributesForm } from './use-attributes-form.ts';

type AttributeListProps = {
  form: AttributesForm;
  /** The path of the list in the form. */
  path: string;
  rows: readonly AttributeRow[];
  kind?: ReleaseKind;
  label: string;
  /** Shown instead of an empty list. */
  emptyHint: string;
  /** The keys of the open rows. */
  opened: ReadonlySet<string>;
  onOpen: (key: string, isOpen: boolean) => void;
};

const nouns = { attributes: 'attribute', claims: 'claim' } as const;

/** The attributes of a list, which can be added, removed and moved. */
export function AttributeList(props: AttributeListProps) {
  const { form, path, rows, kind = 'attributes', label, emptyHint, opened, onOpen } = props;
  const noun = nouns[kind];
  const adder = useRef<HTMLButtonElement>(null);
  const [news, setNews] = useState('');
  const change = (changed: AttributeRow[]) => {
    form.setFieldValue(path, changed);
    // The faults have the position of the row in their path, which has just changed.
    form.clearErrors();
  };
  const add = () => {
    const row = blankRow();
    change([...rows, row]);
    onOpen(row.key, true);
    setNews(`The new ${noun} is at the end of the list.`);
    // The fields exist after the next rendering.
    requestAnimationFrame(() => form.getInputNode(`${path}.${rows.length}.name`)?.focus());
  };
  const remove = (index: number) => {
    change(rows.filter((_, position) => position !== index));
    setNews(`${rows[index]?.name || `The ${noun}`} was removed.`);
    // The button that was pressed disappears with its row.
    adder.current?.focus();
  };
  const move = (index: number, step: -1 | 1) => {
    change(moveRow(rows, index, index + step));
    setNews(`${rows[index]?.name || `The ${noun}`} is now number ${index + step + 1} of ${rows.length}.`);
  };
  return (
    <div className={classes.list}>
      {rows.length === 0 ? (
        <p className={classes.empty}>{emptyHint}</p>
      ) : (
        <ol className={classes.rows} aria-label={label}>
          {rows.map((row, index) => (
            <AttributeRowCard
              key={row.key}
              form={form}
              path={`${path}.${index}`}
              row={row}
              kind={kind}
              opened={opened.has(row.key)}
              isFirst={index === 0}
              isLast={index === rows.length - 1}
              onToggle={() => onOpen(row.key, !opened.has(row.key))}
              onMove={(step) => move(index, step)}
              onRemove={() => remove(index)}
            />
          ))}
        </ol>
      )}
      <FormError>{form.errors[path]}</FormError>
      <div className={formClasses.row}>
        <Button
          ref={adder}
          variant="default"
          size="sm"
          leftSection={<IconPlus size={16} />}
          disabled={rows.length >= maximumAttributes}
          onClick={add}
        >
          Add {noun}
        </Button>
        <span className={formClasses.hint}>
          {rows.length} of at most {maximumAttributes}
        </span>
      </div>
      <span className="visually-hidden" role="status">
        {news}
      </span>
    </div>
  );
}
