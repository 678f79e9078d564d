import { Button, Skeleton } from '@mantine/core';
import type { Passkey, PasskeyOptions, Profile } from '@opensocial/contract';
import { IconKey } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useSessionUser } from '../../../api/session/session.ts';
import { BusyButton } from '../../../patterns/busy-button/busy-button.tsx';
import { ConfirmDialog } from '../../../patterns/confirm/confirm-dialog.tsx';
import { fullTime } from '../../../patterns/format/format.ts';
import { StateBadge } from '../../../patterns/state-mark/state-mark.tsx';
import { showError } from '../../../patterns/toast/show-error.tsx';
import { showSuccess } from '../../../patterns/toast/show-success.tsx';
import { CardError } from '../card/card-error.tsx';
import { ProfileCard } from '../card/profile-card.tsx';
import { ProfileList, ProfileRow } from '../card/profile-row.tsx';
import classes from '../mfa/factor.module.css';
import { mfaStatusQuery } from '../mfa/mfa.api.ts';
import { RecoveryLine } from '../mfa/recovery-line.tsx';
import { deletePasskey, passkeysQuery, requestPasskeyOptions } from './passkeys.api.ts';
import { RenamePasskeyModal } from './rename-passkey-modal.tsx';

const AddPasskeyModal = lazy(async () => ({ default: (await import('./add-passkey-modal.tsx')).AddPasskeyModal }));

type PasskeysCardProps = { profile: Profile };

/** The passkeys of the user, for signing in and as a second factor. */
export function PasskeysCard({ profile }: PasskeysCardProps) {
  const passkeys = useQuery(passkeysQuery);
  const totp = useQuery(mfaStatusQuery(useSessionUser())).data;
  const obstacle = passkeys.data && obstacleOf(passkeys.data.possible);
  const hasSome = passkeys.data !== undefined && passkeys.data.passkeys.length > 0;
  return (
    <ProfileCard
      title="Passkeys"
      description="Sign in with the fingerprint, face or PIN of a device instead of a password and a code. If you sign in with your password, a passkey is your second factor."
      aside={passkeys.data && obstacle === undefined && <AddButton isFirst={!hasSome} />}
    >
      {passkeys.data ? (
        <>
          {hasSome ? (
            <ProfileList label="Passkeys">
              {passkeys.data.passkeys.map((passkey) => (
                <PasskeyRow key={passkey.id} passkey={passkey} />
              ))}
            </ProfileList>
          ) : (
            obstacle === undefined && (
              <p className={classes.hint}>You have no passkeys yet. Add one on each device that you sign in from.</p>
            )
          )}
          {obstacle !== undefined && <p className={classes.hint}>{obstacle}</p>}
          {hasSome && totp === 'inactive' && <RecoveryLine left={profile.recovery_codes} />}
        </>
      ) : passkeys.isLoadingError ? (
        <CardError subject="Your passkeys" query={passkeys} />
      ) : (
        <Skeleton height={62} radius="md" />
      )}
    </ProfileCard>
  );
}

/** The reason why this browser cannot add a passkey, or undefined if it can. */
const obstacleOf = (isPossible: boolean): string | undefined => {
  if (!isPossible)
    return 'Passkeys need an https address with a domain name, which this service does not have. Your administrator can set one up.';
  if (Reflect.has(window, 'PublicKeyCredential')) return undefined;
  return window.isSecureContext
    ? 'This browser does not support passkeys. Open this page in another browser to add one.'
    : 'Passkeys need https. Open this page at its https address to add one.';
};

type AddButtonProps = { isFirst: boolean };

function AddButton({ isFirst }: AddButtonProps) {
  const beginning = useMutation(requestPasskeyOptions);
  const [options, setOptions] = useState<PasskeyOptions>();
  const handleBegin = () => beginning.mutate(undefined, { onError: showError, onSuccess: setOptions });
  return (
    <>
      <BusyButton
        variant={isFirst ? 'filled' : 'default'}
        busy={beginning.isPending}
        busyText="please wait ...."
        onClick={handleBegin}
      >
        Add a passkey
      </BusyButton>
      <Suspense>{options && <AddPasskeyModal options={options} onClose={() => setOptions(undefined)} />}</Suspense>
    </>
  );
}

type PasskeyRowProps = { passkey: Passkey };

function PasskeyRow({ passkey }: PasskeyRowProps) {
  const { name, backed_up, created, last_used } = passkey;
  const [open, setOpen] = useState<'rename' | 'remove'>();
  const handleClose = () => setOpen(undefined);
  return (
    <ProfileRow
      icon={<IconKey size={22} stroke={1.6} />}
      name={
        <>
          <bdi>{name}</bdi>
          {backed_up && <StateBadge tone="quiet">Synced</StateBadge>}
        </>
      }
      facts={
        <>
          <span>Added {fullTime(created)}</span>
          <span>{last_used === null ? 'Not used yet' : `Last used ${fullTime(last_used)}`}</span>
        </>
      }
    >
      <Button variant="default" size="sm" aria-label={`Rename ${name}`} onClick={() => setOpen('rename')}>
        Rename
      </Button>
      <Button variant="default" size="sm" aria-label={`Remove ${name}`} onClick={() => setOpen('remove')}>
        Remove
      </Button>
      {open === 'rename' && <RenamePasskeyModal passkey={passkey} onClose={handleClose} />}
      {open === 'remove' && <RemoveDialog passkey={passkey} onClose={handleClose} />}
    </ProfileRow>
  );
}

type RemoveDialogProps = PasskeyRowProps & { onClose: () => void };

function RemoveDialog({ passkey: { id, name }, onClose }: RemoveDialogProps) {
  const removing = useMutation(deletePasskey);
  const handleConfirm = () =>
    removing.mutate(id, {
      onError: showError,
      onSuccess: ({ message }) => showSuccess(message),
      onSettled: onClose,
    });
  return (
    <ConfirmDialog
      title="Remove the passkey"
      text={
        <>
          <bdi>{name}</bdi> can no longer be used to sign in, and you will be signed out in your other browsers. The
          passkey may stay on the device until you delete it there.
        </>
      }
      action="Remove"
      danger
      busy={removing.isPending}
      onConfirm={handleConfirm}
      onCancel={onClose}
    />
  );
}
