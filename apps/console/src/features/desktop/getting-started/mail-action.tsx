import { useMutation } from '@tanstack/react-query';
import { BusyButton } from '../../../patterns/busy-button/busy-button.tsx';
import { FormError } from '../../../patterns/form/form-error.tsx';
import { showErrorField } from '../../../patterns/toast/show-error-field.tsx';
import { showSuccess } from '../../../patterns/toast/show-success.tsx';
import { testMail } from './getting-started.api.ts';

type MailActionProps = { network: string };

export function MailAction({ network }: MailActionProps) {
  const testing = useMutation(testMail(network));
  const failure = testing.data?.failure;
  return (
    <>
      <BusyButton
        variant="default"
        busy={testing.isPending}
        busyText="Sending…"
        onClick={() =>
          testing.mutate(undefined, {
            onError: showErrorField,
            onSuccess: (sent) => sent.failure === '' && showSuccess(`A test email is on its way to ${sent.to}.`),
          })
        }
      >
        Send a test email
      </BusyButton>
      <FormError>{failure && `The mail server did not accept the email: ${failure}`}</FormError>
    </>
  );
}
