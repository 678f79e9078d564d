import { useForm } from '@mantine/form';
import { ApiError } from '@opensocial/contract';
import { useMutation } from '@tanstack/react-query';
import { useSessionUser } from '../../../api/session/session.ts';
import { CodeField } from '../../../patterns/form/code-field.tsx';
import { DismissedSignInError } from '../../../patterns/form/dismissed-sign-in.tsx';
import { required } from '../../../patterns/form/required.ts';
import { SubmitButton } from '../../../patterns/form/submit-button.tsx';
import { showError } from '../../../patterns/toast/show-error.tsx';
import { LearnMore } from './learn-more.tsx';
import { clearMfa } from './mfa.api.ts';
import classes from './totp-dialog.module.css';

type TotpVerifyProps = { onReset: () => void };

/** §2.12, Active. */
export function TotpVerify({ onReset }: TotpVerifyProps) {
  const clearing = useMutation(clearMfa(useSessionUser()));
  const form = useForm({
    initialValues: { token: '' },
    validate: { token: required('TOTP Token is required') },
    validateInputOnChange: true,
  });
  const handleSubmit = ({ token }: typeof form.values) => {
    if (clearing.isPending) return;
    clearing.mutate(token, {
      onError: (error) => {
        if (error instanceof ApiError && error.code === 'token_wrong') form.setFieldError('token', error.message);
        else showError(error);
      },
    });
  };
  return (
    <form className={classes.body} noValidate onSubmit={form.onSubmit(handleSubmit)}>
      <p>
        Enter the current code from your authenticator app. Your settings are then cleared: you can set up another app,
        and you are signed out in your other browsers.
      </p>
      <CodeField {...form.getInputProps('token')} label="TOTP Token" data-autofocus />
      <button type="button" className={classes.aside} onClick={onReset}>
        I do not have my authenticator app
      </button>
      <DismissedSignInError busy={clearing.isPending} />
      <div className={classes.foot}>
        <LearnMore />
        <div className={classes.buttons}>
          <SubmitButton color="red" busy={clearing.isPending}>
            Clear TOTP Settings
          </SubmitButton>
        </div>
      </div>
    </form>
  );
}
