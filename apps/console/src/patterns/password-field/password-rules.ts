import type { PasswordPolicy } from '@opensocial/contract';

/** Whether a password satisfies the network's rule. A rule that this browser cannot compile is left to the server. */
export const followsPolicy = (password: string, { password_regex }: PasswordPolicy): boolean => {
  try {
    return new RegExp(password_regex).test(password);
  } catch {
    return true;
  }
};

/** §5. The text for an empty field differs between the forms. */
export const confirmationFault = (confirmation: string, password: string, emptyText: string): string | null => {
  if (confirmation === '') return emptyText;
  return confirmation === password ? null : 'Confirm password must match';
};
