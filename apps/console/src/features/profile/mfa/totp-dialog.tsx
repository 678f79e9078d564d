import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSessionUser } from '../../../api/session/session.ts';
import { Dialog } from '../../../patterns/dialog/dialog.tsx';
import { mfaStatusQuery } from './mfa.api.ts';
import { TotpComplete } from './totp-complete.tsx';
import { TotpReset } from './totp-reset.tsx';
import { TotpSetup } from './totp-setup.tsx';
import { TotpVerify } from './totp-verify.tsx';

type TotpDialogProps = {
  /** Called with the recovery codes of a new authenticator app. They are shown after this dialog has closed. */
  onComplete: (recoveryCodes: readonly string[]) => void;
  onClose: () => void;
};

const titles = {
  active: 'Verify your TOTP MFA',
  reset: 'Reset your TOTP MFA',
  inactive: 'Set Up TOTP MFA',
  complete: 'Set Up TOTP MFA',
};

/** §2.12. After clearing or resetting, it continues with a new secret. */
export function TotpDialog({ onComplete, onClose }: TotpDialogProps) {
  const status = useQuery(mfaStatusQuery(useSessionUser())).data;
  const [isResetting, setIsResetting] = useState(false);
  const [isComplete, setIsComplete] = useState(false);
  const whileActive = isResetting ? 'reset' : 'active';
  const state = isComplete ? 'complete' : status === 'active' ? whileActive : 'inactive';
  const handleComplete = (recoveryCodes: readonly string[]) => {
    setIsComplete(true);
    onComplete(recoveryCodes);
  };
  return (
    // A click outside must not lose the input.
    <Dialog onClose={onClose} title={titles[state]} size={520} closeOnClickOutside={false}>
      {state === 'active' && <TotpVerify onReset={() => setIsResetting(true)} />}
      {state === 'reset' && <TotpReset onBack={() => setIsResetting(false)} />}
      {state === 'inactive' && <TotpSetup onComplete={handleComplete} />}
      {state === 'complete' && <TotpComplete onDone={onClose} />}
    </Dialog>
  );
}
