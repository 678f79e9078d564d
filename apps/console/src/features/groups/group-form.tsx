import { Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';

export type GroupValues = { name: string; description: string };

const required = (message: string) => (value: string) => (value.trim() === '' ? message : undefined);

/** SPEC 5, group: new and changed alike. */
export const useGroupForm = (initialValues: GroupValues) =>
  useForm<GroupValues>({
    initialValues,
    validate: { name: required('Group name is required'), description: required('Description text is required') },
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
