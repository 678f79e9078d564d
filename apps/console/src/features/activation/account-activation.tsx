import { Loader } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { showError } from '../../patterns/toast/show-error.tsx';
import classes from './account-activation.module.css';
import { confirmAccount, linkQuery, passwordPolicyQuery } from './activation.api.ts';
import { confirmFault, isLinkInvalid, verificationFault } from './activation-faults.ts';
import { type ActivationLink, removeStoredLink } from './activation-link.ts';
import { ActivationCompleted, ActivationInvalid } from './activation-results.tsx';
import { PasswordForm } from './password-form.tsx';

type AccountActivationProps = { link: ActivationLink };

/** §4, activation: verifies the link, shows the form or the error, then the result. */
export function AccountActivation({ link }: AccountActivationProps) {
  const verified = useQuery(linkQuery(link));
  const policy = useQuery(passwordPolicyQuery(verified.data?.server));
  const confirmation = confirmAccount(link);
  const confirm = useMutation(confirmation);
  const client = useQueryClient();

  useEffect(() => {
    if (policy.error) showError(policy.error);
  }, [policy.error]);

  const handleSubmit = (password: string) => {
    // The mutation cache is updated synchronously. `isPending` would let a double click through.
    if (client.isMutating(confirmation) > 0) return;
    confirm.mutate(password, {
      onSuccess: removeStoredLink,
      onError: (error) => {
        if (!confirmFault(error)) showError(error);
      },
    });
  };

  if (verified.isError)
    return (
      <ActivationInvalid isSpent={isLinkInvalid(verified.error)} onRetry={() => void verified.refetch()}>
        {verificationFault(verified.error)}
      </ActivationInvalid>
    );
  const isReset = verified.data?.purpose === 'reset';
  if (confirm.isSuccess) return <ActivationCompleted isReset={isReset} />;
  if (verified.isPending || policy.isLoading) return <Verifying />;
  return (
    <PasswordForm
      email={link.email}
      isReset={isReset}
      policy={policy.data}
      busy={confirm.isPending}
      fault={confirm.error && confirmFault(confirm.error)}
      onSubmit={handleSubmit}
    />
  );
}

function Verifying() {
  return (
    <div className={classes.verifying} role="status">
      <Loader size={28} aria-hidden="true" />
      Checking your link
    </div>
  );
}
