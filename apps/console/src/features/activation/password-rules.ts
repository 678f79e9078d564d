import type { PasswordPolicy } from '@opensocial/contract';

/** §5, activation password. Without a policy only the server can judge the password. */
export const passwordFault = (password: string, policy: PasswordPolicy | undefined): string | null => {
  if (password === '') return 'Password is required';
  return policy && !follows(password, policy.password_regex) ? policy.regex_message : null;
};

export const confirmationFault = (confirmation: string, password: string): string | null => {
  if (confirmation === '') return 'Confirm password is required';
  return confirmation === password ? null : 'Confirm password must match';
};

/** The same rule while typing: §5 has another text for a field that becomes empty while it is edited. */
export const confirmationEditFault = (confirmation: string, password: string): string | null =>
  confirmation === '' ? 'Confirm Password is required' : confirmationFault(confirmation, password);

const follows = (password: string, pattern: string): boolean => {
  try {
    return new RegExp(pattern).test(password);
  } catch {
    return true;
  }
};
