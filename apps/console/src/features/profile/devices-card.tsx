import { Button, Skeleton } from '@mantine/core';
import type { Device } from '@opensocial/contract';
import { IconDeviceLaptop, IconDeviceMobile } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { browserName, isPhone } from '../../patterns/browser-name/browser-name.ts';
import { BusyButton } from '../../patterns/busy-button/busy-button.tsx';
import { ConfirmDialog } from '../../patterns/confirm/confirm-dialog.tsx';
import { StateBadge } from '../../patterns/state-mark/state-mark.tsx';
import { logTime } from '../../patterns/time/log-time.ts';
import { showError } from '../../patterns/toast/show-error.tsx';
import { showSuccess } from '../../patterns/toast/show-success.tsx';
import classes from './devices-card.module.css';
import { devicesQuery, signOutDevice, signOutOthers } from './profile.api.ts';
import { ProfileCard } from './profile-card.tsx';

/** The browsers in which one is signed in, to be signed out from here. */
export function DevicesCard() {
  const devices = useQuery(devicesQuery);
  const [isAsking, setIsAsking] = useState(false);
  const hasOthers = devices.data?.some(({ current }) => !current) ?? false;
  return (
    <ProfileCard
      title="Where you are signed in"
      description="One that you do not know? Sign it out, and change your password."
      aside={
        hasOthers && (
          <Button variant="default" size="sm" onClick={() => setIsAsking(true)}>
            Sign out all others
          </Button>
        )
      }
    >
      {devices.data ? (
        <ul className={classes.list} aria-label="Browsers">
          {devices.data.map((device) => (
            <DeviceRow key={device.id} device={device} />
          ))}
        </ul>
      ) : devices.isLoadingError ? (
        <div>
          <p role="alert">Your browsers could not be loaded.</p>
          <Button mt={12} variant="default" loading={devices.isFetching} onClick={() => void devices.refetch()}>
            Try again
          </Button>
        </div>
      ) : (
        <Skeleton height={62} radius="md" />
      )}
      {isAsking && <OthersDialog onClose={() => setIsAsking(false)} />}
    </ProfileCard>
  );
}

type DeviceRowProps = { device: Device };

function DeviceRow({ device }: DeviceRowProps) {
  const { id, user_agent, ip_address, signed_in, last_seen, current } = device;
  const ending = useMutation(signOutDevice);
  const DeviceIcon = isPhone(user_agent) ? IconDeviceMobile : IconDeviceLaptop;
  const handleSignOut = () =>
    ending.mutate(id, { onError: showError, onSuccess: ({ message }) => showSuccess(message) });
  return (
    <li className={classes.device}>
      <span className={classes.plate} aria-hidden="true">
        <DeviceIcon size={22} stroke={1.6} />
      </span>
      <div>
        <p className={classes.name}>
          {browserName(user_agent)}
          {current && <StateBadge tone="good">This browser</StateBadge>}
        </p>
        <p className={classes.facts}>
          {ip_address !== '' && <span>{ip_address}</span>}
          <span>Signed in {logTime(signed_in)}</span>
          {!current && <span>Last used {logTime(last_seen)}</span>}
        </p>
      </div>
      {!current && (
        <BusyButton
          variant="default"
          size="sm"
          busy={ending.isPending}
          aria-label={`Sign out ${browserName(user_agent)}`}
          onClick={handleSignOut}
        >
          Sign out
        </BusyButton>
      )}
    </li>
  );
}

type OthersDialogProps = { onClose: () => void };

function OthersDialog({ onClose }: OthersDialogProps) {
  const ending = useMutation(signOutOthers);
  const handleConfirm = () =>
    ending.mutate(undefined, {
      onError: showError,
      onSuccess: ({ message }) => showSuccess(message),
      onSettled: onClose,
    });
  return (
    <ConfirmDialog
      title="Sign out all other browsers"
      text="You stay signed in here only. An application that is open in another browser may go on until it next asks who is there."
      action="Sign out all others"
      danger
      busy={ending.isPending}
      onConfirm={handleConfirm}
      onCancel={onClose}
    />
  );
}
