import { Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { required } from '../../patterns/form/required.ts';

/** An existing group has a version. */
export type GroupValues = { name: string; description: string; version?: number };

/** §5 has two texts for each field: the first for a new group, the second for an existing one. */
const missing = {
  new: { name: 'Group name is required', description: 'Description text is required' },
  changed: { name: 'Group name field is required', description: 'The description field is required' },
} as const;

export const useGroupForm = (kind: keyof typeof missing, initialValues: GroupValues) =>
  useForm<GroupValues>({
    initialValues,
    validate: { name: required(missing[kind].name), description: required(missing[kind].description) },
    clearInputErrorOnChange: true,
  });

type GroupFieldsProps = { form: ReturnType<typeof useGroupForm>; busy: boolean };

export function GroupFields({ form, busy }: GroupFieldsProps) {
  return (
    <>
      <TextInput
        {...form.getInputProps('name')}
        label="Group Name"
        maxLength={100}
        autoComplete="off"
        readOnly={busy}
        data-autofocus
        withAsterisk
      />
      <Textarea
        {...form.getInputProps('description')}
        label="Description"
        maxLength={500}
        autosize
        minRows={2}
        maxRows={6}
        readOnly={busy}
        withAsterisk
      />
    </>
  );
}
