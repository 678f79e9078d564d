import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSessionUser } from '../../api/session.ts';
import { useOpenerFocus } from '../../patterns/focus/use-opener-focus.ts';
import { mfaStatusQuery, refreshProfile } from './profile.api.ts';
import { TotpComplete } from './totp-complete.tsx';
import { TotpReset } from './totp-reset.tsx';
import { TotpSetup } from './totp-setup.tsx';
import { TotpVerify } from './totp-verify.tsx';

type TotpDialogProps = { onClose: () => void };

const titles = {
  active: 'Verify your TOTP MFA',
  reset: 'Reset your TOTP MFA',
  inactive: 'Set Up TOTP MFA',
};

/** SPEC 2.12. Cleared or reset, it goes on with a new secret. */
export function TotpDialog({ onClose }: TotpDialogProps) {
  useOpenerFocus();
  const status = useQuery(mfaStatusQuery(useSessionUser())).data;
  const [isResetting, setIsResetting] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>();
  const isActive = status === 'active' && codes === undefined;
  const state = isActive ? (isResetting ? 'reset' : 'active') : 'inactive';
  const handleDone = async () => {
    await refreshProfile();
    onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={titles[state]}
      size={520}
      // What is typed is not lost by a stray click, and codes that nobody has kept not at all.
      closeOnClickOutside={false}
      withCloseButton={!codes}
      closeOnEscape={!codes}
    >
      {state === 'active' && <TotpVerify onReset={() => setIsResetting(true)} />}
      {state === 'reset' && <TotpReset onBack={() => setIsResetting(false)} />}
      {state === 'inactive' &&
        (codes ? <TotpComplete codes={codes} onDone={() => void handleDone()} /> : <TotpSetup onComplete={setCodes} />)}
    </Modal>
  );
}
