import { TextInput } from '@mantine/core';
import { ApiError } from '@opensocial/contract';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useSessionUser } from '../../../api/session/session.ts';
import { BusyButton } from '../../../patterns/busy-button/busy-button.tsx';
import { showError } from '../../../patterns/toast/show-error.tsx';
import { LearnMore } from './learn-more.tsx';
import { clearMfa } from './mfa.api.ts';
import classes from './totp-dialog.module.css';

type TotpVerifyProps = { onReset: () => void };

/** §2.12, Active. */
export function TotpVerify({ onReset }: TotpVerifyProps) {
  const clearing = useMutation(clearMfa(useSessionUser()));
  const [token, setToken] = useState('');
  const [fault, setFault] = useState<string>();
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (clearing.isPending) return;
    if (token.trim() === '') return setFault('TOTP Token is required');
    clearing.mutate(token, {
      onError: (error) =>
        error instanceof ApiError && error.code === 'token_wrong' ? setFault(error.message) : showError(error),
    });
  };
  return (
    <form className={classes.body} noValidate onSubmit={handleSubmit}>
      <p>
        Enter the current code from your authenticator app. Your settings are then cleared: you can set up another app,
        and you are signed out in your other browsers.
      </p>
      <TextInput
        label="TOTP Token"
        value={token}
        error={fault}
        inputMode="numeric"
        autoComplete="one-time-code"
        data-autofocus
        onChange={({ currentTarget: { value } }) => {
          setToken(value);
          setFault(value.trim() === '' ? 'TOTP Token is required' : undefined);
        }}
      />
      <button type="button" className={classes.aside} onClick={onReset}>
        I do not have my authenticator app
      </button>
      <div className={classes.foot}>
        <LearnMore />
        <div className={classes.buttons}>
          <BusyButton type="submit" color="red" busy={clearing.isPending} busyText="please wait ....">
            Clear TOTP Settings
          </BusyButton>
        </div>
      </div>
    </form>
  );
}
