import { IconShieldCheck } from '@tabler/icons-react';
import { useEffect } from 'react';
import { Notice } from '../../../patterns/notice/notice.tsx';
import { refreshProfile } from '../details/profile.api.ts';
import classes from './totp-dialog.module.css';

/** §9: the dialog closes 1 second after success. */
const closeDelay = 1_000;

type TotpCompleteProps = { onDone: () => void };

/** Reloads the MFA status at once, while the message is visible. */
export function TotpComplete({ onDone }: TotpCompleteProps) {
  useEffect(() => {
    void refreshProfile();
    const timer = setTimeout(onDone, closeDelay);
    return () => clearTimeout(timer);
    // The timer starts once, independent of renders.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- see above
  }, []);
  return (
    <div className={`${classes.body} ${classes.complete}`}>
      <Notice role="status" tone="good" icon={<IconShieldCheck />} title="TOTP MFA Setup Complete" />
    </div>
  );
}
