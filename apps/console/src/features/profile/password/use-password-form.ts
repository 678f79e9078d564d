import { useForm } from '@mantine/form';
import { ApiError, type PasswordPolicy } from '@opensocial/contract';
import { errorText } from '../../../api/transport/error-text.ts';
import { showError } from '../../../patterns/toast/show-error.tsx';

type PasswordValues = { current_password: string; password: string; confirmation: string };

const blank: PasswordValues = { current_password: '', password: '', confirmation: '' };

/** Without a rule only the server can judge. */
const follows = (password: string, policy: PasswordPolicy): boolean => new RegExp(policy.password_regex).test(password);

const newPasswordFault = (password: string, policy: PasswordPolicy | undefined): string | null => {
  if (!policy) return password === '' ? 'New password is required' : null;
  return follows(password, policy) ? null : policy.regex_message;
};

const confirmationFault = (confirmation: string, password: string): string | null => {
  if (confirmation === '') return 'Confirm Password is required';
  return confirmation === password ? null : 'Confirm password must match';
};

/** The field that a refusal of the server's is about. */
const fieldOf: Partial<Record<ApiError['code'], keyof PasswordValues>> = {
  password_wrong: 'current_password',
  password_refused: 'password',
};

/** §5, Password form: validated on blur and key press. */
export const usePasswordForm = (policy: PasswordPolicy | undefined) => {
  const form = useForm<PasswordValues>({
    initialValues: blank,
    validateInputOnBlur: true,
    validateInputOnChange: true,
    validate: {
      current_password: (current) => (current === '' ? 'Old password is required' : null),
      password: (password) => newPasswordFault(password, policy),
      confirmation: (confirmation, { password }) => confirmationFault(confirmation, password),
    },
  });
  // What was typed twice alike may not be so any more.
  form.watch('password', ({ value }) => {
    const { confirmation } = form.getValues();
    if (confirmation !== '') form.setFieldError('confirmation', confirmationFault(confirmation, value));
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
