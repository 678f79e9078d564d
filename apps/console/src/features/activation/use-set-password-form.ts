import { useForm } from '@mantine/form';
import type { PasswordPolicy } from '@opensocial/contract';
import type { ChangeEvent } from 'react';
import { confirmationEditFault, confirmationFault, passwordFault } from './password-rules.ts';

/** §5: validates the password on blur, both fields on every edit, and all fields on submit. */
export const useSetPasswordForm = (policy: PasswordPolicy | undefined) => {
  const form = useForm({
    initialValues: { password: '', confirmation: '' },
    validateInputOnBlur: ['password'],
    clearInputErrorOnChange: false,
    validate: {
      password: (password) => passwordFault(password, policy),
      confirmation: (confirmation, { password }) => confirmationFault(confirmation, password),
    },
  });
  const { password, confirmation } = form.values;

  const handlePasswordChange = ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) => {
    form.setFieldValue('password', value);
    form.setFieldError('password', passwordFault(value, policy));
    if (confirmation !== '') form.setFieldError('confirmation', confirmationEditFault(confirmation, value));
  };
  const handleConfirmationChange = ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) => {
    form.setFieldValue('confirmation', value);
    form.setFieldError('confirmation', confirmationEditFault(value, password));
  };

  return {
    password,
    onSubmit: form.onSubmit,
    passwordProps: { ...form.getInputProps('password'), onChange: handlePasswordChange },
    confirmationProps: { ...form.getInputProps('confirmation'), onChange: handleConfirmationChange },
  };
};
