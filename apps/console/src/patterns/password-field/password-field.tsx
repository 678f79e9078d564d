import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** Mantine's password field with `aria-invalid` and a clear label for its visibility button. */
export function PasswordField({ error, ...props }: PasswordInputProps) {
  return (
    <PasswordInput
      {...props}
      error={error}
      aria-invalid={Boolean(error)}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
    />
  );
}
