import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ApiError } from '@opensocial/contract';
import { useMutation } from '@tanstack/react-query';
import { useSessionUser } from '../../../api/session/session.ts';
import { errorText } from '../../../api/transport/error-text.ts';
import { BusyButton } from '../../../patterns/busy-button/busy-button.tsx';
import { CodeField } from '../../../patterns/form/code-field.tsx';
import { DismissedSignInError } from '../../../patterns/form/dismissed-sign-in.tsx';
import { required } from '../../../patterns/form/required.ts';
import { SubmitButton } from '../../../patterns/form/submit-button.tsx';
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
  const form = useForm({ initialValues: { code: '' }, validate: { code: required('Enter the code from the email.') } });
  const handleSubmit = ({ code }: typeof form.values) => {
    if (confirming.isPending) return;
    confirming.mutate(code, {
      onError: (error) => {
        if (error instanceof ApiError && error.code === 'token_wrong') form.setFieldError('code', errorText(error));
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
        form.reset();
        showSuccess('A new code is on its way. The previous code no longer works.');
      },
    });
  return (
    <form className={`${classes.code} ${classes.more}`} noValidate onSubmit={form.onSubmit(handleSubmit)}>
      <p role="status">
        We sent a code to <bdi>{user.mfa_email}</bdi>. Enter it to switch on email codes. It works once, within ten
        minutes.
      </p>
      <CodeField {...form.getInputProps('code')} label="6-digit code" autoFocus />
      <DismissedSignInError busy={confirming.isPending} />
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
        <SubmitButton busy={confirming.isPending}>Confirm code</SubmitButton>
      </div>
    </form>
  );
}
