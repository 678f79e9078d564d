import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** Mantine's field, which says neither that it is invalid nor in plain words what its button does. */
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
