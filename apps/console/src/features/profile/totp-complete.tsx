import { IconShieldCheck } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Notice } from '../../patterns/notice/notice.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import classes from './totp-dialog.module.css';

/** SPEC 9: the dialog closes 1 second after success, which is when the codes are kept. */
const closesAfter = 1_000;

type TotpCompleteProps = { codes: readonly string[]; onDone: () => void };

export function TotpComplete({ codes, onDone }: TotpCompleteProps) {
  const [isKept, setIsKept] = useState(false);
  useEffect(() => {
    if (!isKept) return undefined;
    const timer = setTimeout(onDone, closesAfter);
    return () => clearTimeout(timer);
    // The timer runs from the moment they are kept, however often this is drawn meanwhile.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- as said
  }, [isKept]);
  return (
    <div className={`${classes.body} ${classes.complete}`}>
      <Notice role="status" tone="good" icon={<IconShieldCheck />} title="TOTP MFA Setup Complete" />
      <RecoveryCodes codes={codes} busy={isKept} onKept={() => setIsKept(true)} />
    </div>
  );
}
