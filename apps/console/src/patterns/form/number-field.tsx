import { TextInput, type TextInputProps } from '@mantine/core';

type NumberFieldProps = Omit<TextInputProps, 'type' | 'inputMode' | 'inputWrapperOrder'>;

/** A field for a whole number, with its unit and meaning below it. */
export function NumberField(props: NumberFieldProps) {
  return (
    <TextInput
      type="number"
      inputMode="numeric"
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      {...props}
    />
  );
}
