import type { Profile } from '@opensocial/contract';
import { IconCircleCheckFilled, IconCircleDashed } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useSessionUser } from '../../../api/session/session.ts';
import { BusyButton } from '../../../patterns/busy-button/busy-button.tsx';
import { showError } from '../../../patterns/toast/show-error.tsx';
import { showSuccess } from '../../../patterns/toast/show-success.tsx';
import { ProfileCard } from '../card/profile-card.tsx';
import { EmailCodeForm } from './email-code-form.tsx';
import classes from './factor.module.css';
import { sendEmailCode, stopEmailMfa } from './mfa.api.ts';

type EmailMfaCardProps = { profile: Profile };

/** §2.5, Email MFA. A mailed code enables it, because a mailbox that receives no mail would lock the user out. */
export function EmailMfaCard({ profile }: EmailMfaCardProps) {
  const user = useSessionUser();
  const sending = useMutation(sendEmailCode(user));
  const stopping = useMutation(stopEmailMfa(user));
  const [isConfirming, setIsConfirming] = useState(false);
  const isActive = user.enable_email_mfa === 'Yes';
  const canToggle = isActive || profile.sends_mail;
  const StateIcon = isActive ? IconCircleCheckFilled : IconCircleDashed;
  const handleToggle = () =>
    isActive
      ? stopping.mutate(undefined, { onError: showError, onSuccess: ({ message }) => showSuccess(message) })
      : sending.mutate(undefined, { onError: showError, onSuccess: () => setIsConfirming(true) });
  return (
    <ProfileCard title="Email MFA" description="When you sign in, you enter a code that you get by email.">
      <div className={classes.line}>
        <p className={classes.state} data-active={isActive || undefined}>
          <StateIcon size={20} role="img" aria-label={isActive ? 'active' : 'inactive'} />
          <span>{user.mfa_email}</span>
        </p>
        {canToggle && !isConfirming && (
          <BusyButton
            variant={isActive ? 'default' : 'filled'}
            busy={sending.isPending || stopping.isPending}
            busyText="please wait ...."
            onClick={handleToggle}
          >
            {isActive ? 'Disable Email MFA' : 'Enable Email MFA'}
          </BusyButton>
        )}
      </div>
      {!canToggle && (
        <p className={classes.hint}>
          Email codes cannot be switched on, because this service does not send email yet. Your administrator can set it
          up.
        </p>
      )}
      {isConfirming && <EmailCodeForm onClose={() => setIsConfirming(false)} />}
    </ProfileCard>
  );
}
