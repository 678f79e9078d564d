import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useSessionUser } from '../../../api/session/session.ts';
import { BusyButton } from '../../../patterns/busy-button/busy-button.tsx';
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
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string>();
  const check = (value: string) => setFault(value === '' ? 'Confirmation string is required' : undefined);
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (text !== confirmation) return check(text);
    if (resetting.isPending) return;
    resetting.mutate(undefined, { onError: showError });
  };
  return (
    <form className={classes.body} noValidate onSubmit={handleSubmit}>
      <p>
        Without the app or a recovery code, your current sign-in proves who you are. To continue, type the word{' '}
        <strong>{confirmation}</strong>: the app and its recovery codes stop working, and you are signed out in your
        other browsers.
      </p>
      <TextInput
        label="Confirmation String"
        value={text}
        error={fault}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          check(value);
        }}
        onBlur={() => check(text)}
      />
      <div className={classes.foot}>
        <LearnMore />
        <div className={classes.buttons}>
          <Button variant="default" onClick={onBack}>
            Back
          </Button>
          <BusyButton
            type="submit"
            color="red"
            disabled={text !== confirmation}
            busy={resetting.isPending}
            busyText="please wait ...."
          >
            Reset TOTP Token
          </BusyButton>
        </div>
      </div>
    </form>
  );
}
