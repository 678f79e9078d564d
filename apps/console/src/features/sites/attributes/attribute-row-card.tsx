import { ActionIcon, Autocomplete, type InputWrapperProps, NativeSelect, Textarea, TextInput } from '@mantine/core';
import {
  attributeFormatLabels,
  attributeSourceLabels,
  describeIdentifier,
  isUniqueSource,
  knownAttributes,
} from '@opensocial/contract';
import { IconArrowDown, IconArrowUp, IconChevronDown, IconTrash } from '@tabler/icons-react';
import { useId } from 'react';
import formClasses from '../../../patterns/form/form.module.css';
import { type AttributeRow, type ReleaseKind, sourceHints } from './attribute-rows.ts';
import classes from './attributes.module.css';
import type { AttributesForm } from './use-attributes-form.ts';

type AttributeRowCardProps = {
  form: AttributesForm;
  /** The path of the row in the form, such as `attributes.2`. */
  path: string;
  row: AttributeRow;
  kind: ReleaseKind;
  opened: boolean;
  isFirst: boolean;
  isLast: boolean;
  onToggle: () => void;
  onMove: (step: -1 | 1) => void;
  onRemove: () => void;
};

/** One attribute: a line with its name and source, and below it the fields while it is open. */
export function AttributeRowCard(props: AttributeRowCardProps) {
  const { form, path, row, kind, opened, isFirst, isLast, onToggle, onMove, onRemove } = props;
  const bodyId = useId();
  const title = row.name.trim() || (kind === 'claims' ? 'New claim' : 'New attribute');
  const shown = row.friendly_name.trim() || shortName(title);
  const hasFault = Object.keys(form.errors).some((field) => field.startsWith(`${path}.`));
  return (
    <li className={classes.card} data-fault={hasFault || undefined}>
      <div className={classes.head}>
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={opened}
          aria-controls={bodyId}
          onClick={onToggle}
        >
          <IconChevronDown className={classes.arrow} size={18} stroke={1.8} aria-hidden="true" />
          <span className={classes.words}>
            <span className={classes.name}>{shown}</span>
            <span className={classes.detail}>
              {[title, attributeSourceLabels[row.source]].slice(shown === title ? 1 : 0).join(' · ')}
            </span>
          </span>
        </button>
        <RowActions title={title} isFirst={isFirst} isLast={isLast} onMove={onMove} onRemove={onRemove} />
      </div>
      <div id={bodyId} hidden={!opened} className={classes.body}>
        {opened && <RowFields form={form} path={path} row={row} kind={kind} />}
      </div>
    </li>
  );
}

/** The last part of a web address, which names the attribute. */
const shortName = (name: string): string => /^https?:.*\/([^/]+)$/.exec(name)?.[1] ?? name;

type RowActionsProps = Pick<AttributeRowCardProps, 'isFirst' | 'isLast' | 'onMove' | 'onRemove'> & { title: string };

function RowActions({ title, isFirst, isLast, onMove, onRemove }: RowActionsProps) {
  const button = { variant: 'subtle', color: 'gray', size: 36 } as const;
  return (
    <div className={classes.actions}>
      {/* Disabled by attribute only, so that the focus stays on the button when the row reaches the end of the list. */}
      <ActionIcon
        {...button}
        aria-label={`Move ${title} up`}
        aria-disabled={isFirst}
        onClick={() => !isFirst && onMove(-1)}
      >
        <IconArrowUp size={17} stroke={1.8} />
      </ActionIcon>
      <ActionIcon
        {...button}
        aria-label={`Move ${title} down`}
        aria-disabled={isLast}
        onClick={() => !isLast && onMove(1)}
      >
        <IconArrowDown size={17} stroke={1.8} />
      </ActionIcon>
      <ActionIcon {...button} aria-label={`Remove ${title}`} onClick={onRemove}>
        <IconTrash size={17} stroke={1.8} />
      </ActionIcon>
    </div>
  );
}

type RowFieldsProps = Pick<AttributeRowCardProps, 'form' | 'path' | 'row' | 'kind'>;

const optionsOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

/** A description below the field explains what was chosen, or keeps fields side by side at one height. */
const fieldOrder: NonNullable<InputWrapperProps['inputWrapperOrder']> = ['label', 'input', 'description', 'error'];

const text = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

function RowFields({ form, path, row, kind }: RowFieldsProps) {
  const source = <SourceFields form={form} path={path} row={row} kind={kind} />;
  if (kind === 'claims')
    return (
      <>
        <TextInput
          {...form.getInputProps(`${path}.name`)}
          {...text}
          label="Name"
          description="Exactly as the application expects it, such as department."
          withAsterisk
        />
        {source}
      </>
    );
  return (
    <>
      <NameField form={form} path={path} row={row} />
      <div className={classes.pair}>
        <TextInput
          {...form.getInputProps(`${path}.friendly_name`)}
          {...text}
          label="Friendly name"
          description="Optional, for readers."
        />
        <NativeSelect
          {...form.getInputProps(`${path}.name_format`)}
          label="Name format"
          description="As the application expects it."
          data={optionsOf(attributeFormatLabels)}
        />
      </div>
      {source}
    </>
  );
}

/** Names that are usual in the format URI, offered while a name is typed. */
const suggestions = knownAttributes.map(({ name }) => name);

/** A chosen suggestion also fills in the other fields. */
function NameField({ form, path, row }: Omit<RowFieldsProps, 'kind'>) {
  const handleSuggestion = (chosen: string) => {
    const known = knownAttributes.find(({ name }) => name === chosen);
    if (!known) return;
    form.setFieldValue(path, {
      ...row,
      name: known.name,
      friendly_name: known.friendlyName,
      name_format: 'uri',
      source: known.source,
    });
  };
  return (
    <Autocomplete
      {...form.getInputProps(`${path}.name`)}
      {...text}
      label="Name"
      description="Exactly as the application expects it. Type a word such as email to find its OID."
      data={suggestions}
      filter={({ options, search }) => {
        const typed = search.trim().toLowerCase();
        return options.filter(
          (option) => 'value' in option && describeName(option.value).toLowerCase().includes(typed),
        );
      }}
      renderOption={({ option }) => (
        <span className={classes.option}>
          <span>{friendlyNameOf(option.value)}</span>
          <span className={classes.detail}>{option.value}</span>
        </span>
      )}
      comboboxProps={{ withinPortal: false }}
      onOptionSubmit={handleSuggestion}
      withAsterisk
    />
  );
}

const friendlyNameOf = (name: string): string =>
  knownAttributes.find((known) => known.name === name)?.friendlyName ?? name;

const describeName = (name: string): string => {
  const known = knownAttributes.find((each) => each.name === name);
  return [name, known?.friendlyName, ...(known?.aliases ?? [])].join(' ');
};

function SourceFields({ form, path, row, kind }: RowFieldsProps) {
  const identifier = describeIdentifier(row.name);
  return (
    <>
      <NativeSelect
        {...form.getInputProps(`${path}.source`)}
        label="Source"
        description={sourceHints[row.source]}
        inputWrapperOrder={fieldOrder}
        data={optionsOf(attributeSourceLabels)}
      />
      {row.source === 'groups' && (
        <div className={classes.pair}>
          <TextInput
            {...form.getInputProps(`${path}.prefix`)}
            {...text}
            label="Only groups that begin with"
            description="Empty for all groups of this site."
            inputWrapperOrder={fieldOrder}
          />
          <TextInput
            {...form.getInputProps(`${path}.separator`)}
            {...text}
            label="Joined by"
            description="Such as ; for one value. Empty for one value per group."
            inputWrapperOrder={fieldOrder}
          />
        </div>
      )}
      {row.source === 'constant' && (
        <Textarea
          {...form.getInputProps(`${path}.lines`)}
          {...text}
          label="Values"
          description="One per line."
          autosize
          minRows={1}
          maxRows={6}
          withAsterisk
        />
      )}
      {identifier !== undefined && isUniqueSource(row.source) && (
        <p className={formClasses.hint}>
          Applications recognise people by this {kind === 'claims' ? 'claim' : 'attribute'}.
        </p>
      )}
    </>
  );
}
