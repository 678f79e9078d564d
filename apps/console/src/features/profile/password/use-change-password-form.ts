import { useForm } from '@mantine/form';
import { ApiError, type PasswordPolicy } from '@opensocial/contract';
import { errorText } from '../../../api/transport/error-text.ts';
import { confirmationFault, followsPolicy } from '../../../patterns/password-field/password-rules.ts';
import { showError } from '../../../patterns/toast/show-error.tsx';

type PasswordValues = { current_password: string; password: string; confirmation: string };

const blank: PasswordValues = { current_password: '', password: '', confirmation: '' };

/** Until the policy is loaded, only the server can check the password. */
const newPasswordFault = (password: string, policy: PasswordPolicy | undefined): string | null => {
  if (!policy) return password === '' ? 'New password is required' : null;
  return followsPolicy(password, policy) ? null : policy.regex_message;
};

const confirmationEmpty = 'Confirm Password is required';

/** The field at which a refusal by the server is shown. */
const fieldOf: Partial<Record<ApiError['code'], keyof PasswordValues>> = {
  password_wrong: 'current_password',
  password_refused: 'password',
};

/** §5, Password form: validated on blur and key press. */
export const useChangePasswordForm = (policy: PasswordPolicy | undefined) => {
  const form = useForm<PasswordValues>({
    initialValues: blank,
    validateInputOnBlur: true,
    validateInputOnChange: true,
    validate: {
      current_password: (current) => (current === '' ? 'Old password is required' : null),
      password: (password) => newPasswordFault(password, policy),
      confirmation: (confirmation, { password }) => confirmationFault(confirmation, password, confirmationEmpty),
    },
  });
  // A changed password may no longer match its confirmation.
  form.watch('password', ({ value }) => {
    const { confirmation } = form.getValues();
    if (confirmation !== '')
      form.setFieldError('confirmation', confirmationFault(confirmation, value, confirmationEmpty));
  });
  return {
    values: form.values,
    field: (name: keyof PasswordValues) => form.getInputProps(name),
    onSubmit: form.onSubmit,
    reset: form.reset,
    showRefusal: (error: Error) => {
      const field = error instanceof ApiError ? fieldOf[error.code] : undefined;
      if (field) form.setFieldError(field, errorText(error));
      else showError(error);
    },
  };
};
