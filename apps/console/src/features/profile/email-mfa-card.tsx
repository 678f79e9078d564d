import { IconCircleCheckFilled, IconCircleDashed } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useSessionUser } from '../../api/session.ts';
import { BusyButton } from '../../patterns/busy-button/busy-button.tsx';
import { showError } from '../../patterns/toast/show-error.tsx';
import { showSuccess } from '../../patterns/toast/show-success.tsx';
import classes from './factor.module.css';
import { toggleEmailMfa } from './profile.api.ts';
import { ProfileCard } from './profile-card.tsx';

/** SPEC 2.5, Email MFA. */
export function EmailMfaCard() {
  const user = useSessionUser();
  const saving = useMutation(toggleEmailMfa(user));
  const isActive = user.enable_email_mfa === 'Yes';
  const StateIcon = isActive ? IconCircleCheckFilled : IconCircleDashed;
  const handleToggle = () =>
    saving.mutate(!isActive, {
      onError: showError,
      onSuccess: ({ message }) => showSuccess(message),
    });
  return (
    <ProfileCard title="Email MFA" description="A code by mail, asked for when you sign in.">
      <div className={classes.line}>
        <p className={classes.state} data-active={isActive || undefined}>
          <StateIcon size={20} role="img" aria-label={isActive ? 'active' : 'inactive'} />
          <span>{user.mfa_email}</span>
        </p>
        <BusyButton
          variant={isActive ? 'default' : 'filled'}
          busy={saving.isPending}
          busyText="please wait ...."
          onClick={handleToggle}
        >
          {isActive ? 'Disable Email MFA' : 'Enable Email MFA'}
        </BusyButton>
      </div>
    </ProfileCard>
  );
}
