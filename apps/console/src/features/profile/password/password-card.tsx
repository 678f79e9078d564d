import type { Profile } from '@opensocial/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSessionUser } from '../../../api/session/session.ts';
import classes from '../../../patterns/form/form.module.css';
import { SubmitButton } from '../../../patterns/form/submit-button.tsx';
import { fullTime } from '../../../patterns/format/format.ts';
import { PasswordField } from '../../../patterns/password-field/password-field.tsx';
import { showError } from '../../../patterns/toast/show-error.tsx';
import { showSuccess } from '../../../patterns/toast/show-success.tsx';
import { ProfileCard } from '../card/profile-card.tsx';
import { passwordPolicyQuery, savePassword } from './password.api.ts';
import { useChangePasswordForm } from './use-change-password-form.ts';

type PasswordCardProps = { profile: Profile };

/** §2.5, Password. */
export function PasswordCard({ profile }: PasswordCardProps) {
  return (
    <ProfileCard title="Password" description={descriptionOf(profile)}>
      {profile.has_password && <PasswordForm />}
    </ProfileCard>
  );
}

const descriptionOf = ({ has_password, password_changed }: Profile): string => {
  if (!has_password)
    return 'Your account has no password yet, because you sign in another way. To set one, choose “Forgotten password?” on the sign-in page.';
  const changed = password_changed === null ? '' : `Last changed ${fullTime(password_changed)}. `;
  return `${changed}Changing your password signs you out in your other browsers; applications that are open there may keep their own sessions.`;
};

function PasswordForm() {
  const user = useSessionUser();
  const { data: policy, error: policyError } = useQuery(passwordPolicyQuery(user));
  useEffect(() => {
    if (policyError) showError(policyError);
  }, [policyError]);
  const saving = useMutation(savePassword(user));
  const form = useChangePasswordForm(policy);
  const handleSubmit = ({ current_password, password }: typeof form.values) => {
    if (saving.isPending) return;
    saving.mutate(
      { current_password, password },
      {
        onError: form.showRefusal,
        onSuccess: ({ message }) => {
          form.reset();
          showSuccess(message);
        },
      },
    );
  };
  const password = form.field('password');
  const field = { autoCapitalize: 'none', readOnly: saving.isPending } as const;
  return (
    <form className={classes.form} noValidate onSubmit={form.onSubmit(handleSubmit)}>
      {/* Tells password managers to which account the password belongs. */}
      <input type="text" name="username" autoComplete="username" value={user.username} readOnly hidden />
      <PasswordField
        {...form.field('current_password')}
        {...field}
        label="Old password"
        autoComplete="current-password"
      />
      <PasswordField
        {...password}
        {...field}
        label="New password"
        // The rule is shown as the hint, and in the same place as the error.
        description={!password.error && policy?.regex_message}
        autoComplete="new-password"
      />
      <PasswordField {...form.field('confirmation')} {...field} label="Confirm password" autoComplete="new-password" />
      <div>
        <SubmitButton busy={saving.isPending}>Reset Password</SubmitButton>
      </div>
    </form>
  );
}
