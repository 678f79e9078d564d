import { Button, TextInput } from '@mantine/core';
import { ApiError } from '@opensocial/contract';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useSessionUser } from '../../../api/session/session.ts';
import { errorText } from '../../../api/transport/error-text.ts';
import { BusyButton } from '../../../patterns/busy-button/busy-button.tsx';
import { showError } from '../../../patterns/toast/show-error.tsx';
import { showSuccess } from '../../../patterns/toast/show-success.tsx';
import classes from './factor.module.css';
import { confirmEmailMfa, sendEmailCode } from './mfa.api.ts';

type EmailCodeFormProps = { onClose: () => void };

/** The form for the mailed code, which enables email MFA. */
export function EmailCodeForm({ onClose }: EmailCodeFormProps) {
  const user = useSessionUser();
  const confirming = useMutation(confirmEmailMfa(user));
  const sending = useMutation(sendEmailCode(user));
  const [code, setCode] = useState('');
  const [fault, setFault] = useState<string>();
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (confirming.isPending) return;
    if (code.trim() === '') {
      setFault('Enter the code from the mail.');
      return;
    }
    confirming.mutate(code, {
      onError: (error) => {
        if (error instanceof ApiError && error.code === 'token_wrong') setFault(errorText(error));
        else showError(error);
      },
      onSuccess: ({ message }) => {
        showSuccess(message);
        onClose();
      },
    });
  };
  const handleResend = () =>
    sending.mutate(undefined, {
      onError: showError,
      onSuccess: () => {
        setCode('');
        setFault(undefined);
        showSuccess('A new code is on its way. The previous code no longer works.');
      },
    });
  return (
    <form className={`${classes.code} ${classes.more}`} noValidate onSubmit={handleSubmit}>
      <p role="status">
        We sent a code to <bdi>{user.mfa_email}</bdi>. Enter it to switch on email codes. It works once, within ten
        minutes.
      </p>
      <TextInput
        label="6-digit code"
        value={code}
        error={fault}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        onChange={({ currentTarget: { value } }) => {
          setCode(value);
          setFault(undefined);
        }}
      />
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <BusyButton
          type="button"
          variant="default"
          busy={sending.isPending}
          busyText="please wait ...."
          onClick={handleResend}
        >
          Send a new code
        </BusyButton>
        <BusyButton type="submit" busy={confirming.isPending} busyText="please wait ....">
          Confirm code
        </BusyButton>
      </div>
    </form>
  );
}
