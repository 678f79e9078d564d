import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useSessionUser } from '../../../api/session/session.ts';
import { DismissedSignInError } from '../../../patterns/form/dismissed-sign-in.tsx';
import { SubmitButton } from '../../../patterns/form/submit-button.tsx';
import { showError } from '../../../patterns/toast/show-error.tsx';
import { LearnMore } from './learn-more.tsx';
import { resetOwnMfa } from './mfa.api.ts';
import classes from './totp-dialog.module.css';

/** §9. */
const confirmation = 'Reset';

type TotpResetProps = { onBack: () => void };

/** §2.12, Reset. */
export function TotpReset({ onBack }: TotpResetProps) {
  const resetting = useMutation(resetOwnMfa(useSessionUser()));
  const form = useForm({
    initialValues: { text: '' },
    validate: { text: (text) => (text === '' ? 'Confirmation string is required' : undefined) },
    validateInputOnChange: true,
    validateInputOnBlur: true,
  });
  const isConfirmed = form.values.text === confirmation;
  const handleSubmit = () => {
    if (isConfirmed && !resetting.isPending) resetting.mutate(undefined, { onError: showError });
  };
  return (
    <form className={classes.body} noValidate onSubmit={form.onSubmit(handleSubmit)}>
      <p>
        Without the app or a recovery code, your current sign-in proves who you are. To continue, type the word{' '}
        <strong>{confirmation}</strong>: the app and its recovery codes stop working, and you are signed out in your
        other browsers.
      </p>
      <TextInput
        {...form.getInputProps('text')}
        label="Confirmation String"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
      />
      <DismissedSignInError busy={resetting.isPending} />
      <div className={classes.foot}>
        <LearnMore />
        <div className={classes.buttons}>
          <Button variant="default" onClick={onBack}>
            Back
          </Button>
          <SubmitButton color="red" disabled={!isConfirmed} busy={resetting.isPending}>
            Reset TOTP Token
          </SubmitButton>
        </div>
      </div>
    </form>
  );
}
