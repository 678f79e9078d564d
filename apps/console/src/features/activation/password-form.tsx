import type { PasswordPolicy } from '@opensocial/contract';
import { FormError } from '../../patterns/form/form-error.tsx';
import { SubmitButton } from '../../patterns/form/submit-button.tsx';
import { PasswordField } from '../../patterns/password-field/password-field.tsx';
import classes from './password-form.module.css';
import { PasswordRule, ruleState } from './password-rule.tsx';
import { useSetPasswordForm } from './use-set-password-form.ts';

type PasswordFormProps = {
  email: string;
  /** Whether the account exists and its password is being reset. */
  isReset: boolean;
  policy: PasswordPolicy | undefined;
  busy: boolean;
  /** The server's refusal, if it is shown below the form. */
  fault: string | null | undefined;
  onSubmit: (password: string) => void;
};

export function PasswordForm({ email, isReset, policy, busy, fault, onSubmit }: PasswordFormProps) {
  const form = useSetPasswordForm(policy);
  const { error, ...passwordProps } = form.passwordProps;
  const rule = policy && <PasswordRule text={policy.regex_message} state={ruleState(form.password, policy, error)} />;
  const isBroken = policy !== undefined && error === policy.regex_message;
  // Nothing is disabled while busy, because a disabled element would lose the focus.
  return (
    <form className={classes.form} noValidate onSubmit={form.onSubmit(({ password }) => onSubmit(password))}>
      <div>
        <h2 className={classes.heading}>{isReset ? 'Choose a new password' : 'Activate Your Account'}</h2>
        <p className={classes.lead}>
          {isReset ? 'You will be signed out in all browsers' : 'Please set your password and confirm your account'}
        </p>
        <p className={classes.email}>{email}</p>
      </div>
      {/* Tells password managers to which account the password belongs. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        {...passwordProps}
        label="Enter Password"
        error={isBroken ? rule : error}
        description={!isBroken && rule}
        autoComplete="new-password"
        autoFocus
        readOnly={busy}
      />
      <PasswordField {...form.confirmationProps} label="Retype Password" autoComplete="new-password" readOnly={busy} />
      <SubmitButton fullWidth busy={busy}>
        {isReset ? 'Save password' : 'Confirm Account'}
      </SubmitButton>
      <FormError>{fault}</FormError>
    </form>
  );
}
