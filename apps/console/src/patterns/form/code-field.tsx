import { TextInput, type TextInputProps } from '@mantine/core';

/** A field for a one-time code. Phones show digits and offer the code from a message. */
export function CodeField(props: Omit<TextInputProps, 'inputMode' | 'autoComplete'>) {
  return <TextInput {...props} inputMode="numeric" autoComplete="one-time-code" />;
}
