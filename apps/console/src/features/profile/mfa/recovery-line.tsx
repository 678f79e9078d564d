import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useSessionUser } from '../../../api/session/session.ts';
import { BusyButton } from '../../../patterns/busy-button/busy-button.tsx';
import { showError } from '../../../patterns/toast/show-error.tsx';
import classes from './factor.module.css';
import { makeRecoveryCodes } from './mfa.api.ts';
import { RecoveryDialog } from './recovery-dialog.tsx';

/** Below this number of codes, the user is asked to create new ones. */
const lowCount = 4;

type RecoveryLineProps = { left: number };

/** The number of remaining recovery codes, with a button that replaces them. */
export function RecoveryLine({ left }: RecoveryLineProps) {
  const making = useMutation(makeRecoveryCodes(useSessionUser()));
  const [codes, setCodes] = useState<readonly string[]>();
  const handleMake = () =>
    making.mutate(undefined, {
      onError: showError,
      onSuccess: ({ recovery_codes }) => setCodes(recovery_codes),
    });
  return (
    <div className={`${classes.line} ${classes.more}`}>
      <p className={classes.hint} data-tone={left < lowCount ? 'warn' : undefined}>
        {left === 1 ? '1 recovery code left' : `${left} recovery codes left`}
      </p>
      <BusyButton variant="default" size="sm" busy={making.isPending} busyText="please wait ...." onClick={handleMake}>
        New recovery codes
      </BusyButton>
      {codes && <RecoveryDialog title="New recovery codes" codes={codes} onSaved={() => setCodes(undefined)} />}
    </div>
  );
}
