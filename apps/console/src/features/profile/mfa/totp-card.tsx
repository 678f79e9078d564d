import { Button, Skeleton } from '@mantine/core';
import type { MfaStatus, Profile } from '@opensocial/contract';
import { IconCircleCheckFilled, IconCircleDashed } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useSessionUser } from '../../../api/session/session.ts';
import { CardError } from '../card/card-error.tsx';
import { ProfileCard } from '../card/profile-card.tsx';
import classes from './factor.module.css';
import { LearnMore } from './learn-more.tsx';
import { mfaStatusQuery } from './mfa.api.ts';
import { RecoveryDialog } from './recovery-dialog.tsx';
import { RecoveryLine } from './recovery-line.tsx';

const TotpDialog = lazy(async () => ({ default: (await import('./totp-dialog.tsx')).TotpDialog }));

type TotpCardProps = { profile: Profile };

/** §2.5, TOTP MFA. */
export function TotpCard({ profile }: TotpCardProps) {
  const status = useQuery(mfaStatusQuery(useSessionUser()));
  const [isOpen, setIsOpen] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>();
  return (
    <ProfileCard
      title="TOTP MFA"
      description={
        <>
          When you sign in, you enter a code from an authenticator app on your phone. <LearnMore />
        </>
      }
    >
      {status.data ? (
        <Status status={status.data} onOpen={() => setIsOpen(true)} />
      ) : status.isLoadingError ? (
        <CardError subject="The TOTP status" query={status} />
      ) : (
        <Skeleton height={42} radius="md" />
      )}
      {status.data === 'active' && <RecoveryLine left={profile.recovery_codes} />}
      <Suspense>{isOpen && <TotpDialog onComplete={setCodes} onClose={() => setIsOpen(false)} />}</Suspense>
      {codes && !isOpen && (
        <RecoveryDialog title="Save your recovery codes" codes={codes} onSaved={() => setCodes(undefined)} />
      )}
    </ProfileCard>
  );
}

type StatusProps = { status: MfaStatus; onOpen: () => void };

function Status({ status, onOpen }: StatusProps) {
  const isActive = status === 'active';
  const StateIcon = isActive ? IconCircleCheckFilled : IconCircleDashed;
  return (
    <div className={classes.line}>
      <p className={classes.state} data-active={isActive || undefined}>
        <StateIcon size={20} aria-hidden="true" />
        <span>{isActive ? 'Active' : 'Not set up'}</span>
      </p>
      <Button variant={isActive ? 'default' : 'filled'} onClick={onOpen}>
        {isActive ? 'Reset TOTP' : 'Set Up TOTP'}
      </Button>
    </div>
  );
}
