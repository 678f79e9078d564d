import type { PasswordPolicy } from '@opensocial/contract';
import {
  confirmationFault as findConfirmationFault,
  followsPolicy,
} from '../../patterns/password-field/password-rules.ts';

/** §5, activation password. Until the policy is loaded, only the server can check the password. */
export const passwordFault = (password: string, policy: PasswordPolicy | undefined): string | null => {
  if (password === '') return 'Password is required';
  return policy && !followsPolicy(password, policy) ? policy.regex_message : null;
};

export const confirmationFault = (confirmation: string, password: string): string | null =>
  findConfirmationFault(confirmation, password, 'Confirm password is required');

/** The same rule while typing. §5 has another text for a field that becomes empty while it is edited. */
export const confirmationEditFault = (confirmation: string, password: string): string | null =>
  findConfirmationFault(confirmation, password, 'Confirm Password is required');
