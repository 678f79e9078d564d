import { Button, TextInput } from '@mantine/core';
import { maximumSections } from '@opensocial/contract';
import { IconPlus } from '@tabler/icons-react';
import type { KeyboardEvent } from 'react';
import classes from './arrange-dialog.module.css';

type NewSectionFieldProps = {
  value: string;
  /** The number of sections. */
  count: number;
  onChange: (name: string) => void;
  onAdd: () => void;
};

export function NewSectionField({ value, count, onChange, onAdd }: NewSectionFieldProps) {
  const handleKeyDown = (event: KeyboardEvent) => {
    // Enter would save the form.
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || value.trim() === '') return;
    event.preventDefault();
    onAdd();
  };
  if (count >= maximumSections) return <p>You have {maximumSections} sections, which is the maximum.</p>;
  return (
    <div className={classes.add}>
      <TextInput
        label="New section"
        placeholder="Data analysis"
        maxLength={100}
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={handleKeyDown}
        {...(count === 0 && { 'data-autofocus': true })}
      />
      <Button
        variant="default"
        leftSection={<IconPlus size={17} aria-hidden="true" />}
        disabled={value.trim() === ''}
        onClick={onAdd}
      >
        Add section
      </Button>
    </div>
  );
}
