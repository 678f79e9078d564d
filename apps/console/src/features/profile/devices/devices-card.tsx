import { Button, Skeleton } from '@mantine/core';
import type { Device } from '@opensocial/contract';
import { IconDeviceLaptop, IconDeviceMobile } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { browserName, isPhone } from '../../../patterns/browser-name/browser-name.ts';
import { BusyButton } from '../../../patterns/busy-button/busy-button.tsx';
import { ConfirmDialog } from '../../../patterns/confirm/confirm-dialog.tsx';
import { fullTime, listOf } from '../../../patterns/format/format.ts';
import { StateBadge } from '../../../patterns/state-mark/state-mark.tsx';
import { showError } from '../../../patterns/toast/show-error.tsx';
import { showSuccess } from '../../../patterns/toast/show-success.tsx';
import { CardError } from '../card/card-error.tsx';
import { ProfileCard } from '../card/profile-card.tsx';
import { ProfileList, ProfileRow } from '../card/profile-row.tsx';
import { devicesQuery, signOutDevice, signOutOthers } from './devices.api.ts';

/** The browsers in which the user is signed in, with buttons to sign them out. */
export function DevicesCard() {
  const devices = useQuery(devicesQuery);
  const [isAsking, setIsAsking] = useState(false);
  // The mutation is in the card, because the row disappears before the result is shown.
  const ending = useMutation(signOutDevice);
  const handleSignOut = (id: number) =>
    ending.mutate(id, { onError: showError, onSuccess: ({ message }) => showSuccess(message) });
  const others = devices.data?.filter(({ current }) => !current) ?? [];
  return (
    <ProfileCard
      title="Where you are signed in"
      description={
        hasSites(others)
          ? 'If you do not recognise a browser, sign it out and change your password. Applications that were opened in it may keep their own sessions until these expire.'
          : 'If you do not recognise a browser, sign it out and change your password.'
      }
      aside={
        others.length > 0 && (
          <Button variant="default" size="sm" onClick={() => setIsAsking(true)}>
            Sign out all others
          </Button>
        )
      }
    >
      {devices.data ? (
        <ProfileList label="Browsers">
          {devices.data.map((device) => (
            <DeviceRow
              key={device.id}
              device={device}
              busy={ending.isPending && ending.variables === device.id}
              onSignOut={() => handleSignOut(device.id)}
            />
          ))}
        </ProfileList>
      ) : devices.isLoadingError ? (
        <CardError subject="Your browsers" query={devices} />
      ) : (
        <Skeleton height={62} radius="md" />
      )}
      {isAsking && <OthersDialog others={others} onClose={() => setIsAsking(false)} />}
    </ProfileCard>
  );
}

const hasSites = (devices: readonly Device[]): boolean => devices.some(({ sites }) => sites.length > 0);

type DeviceRowProps = { device: Device; busy: boolean; onSignOut: () => void };

function DeviceRow({ device, busy, onSignOut }: DeviceRowProps) {
  const { user_agent, ip_address, signed_in, last_seen, sites, current } = device;
  const DeviceIcon = isPhone(user_agent) ? IconDeviceMobile : IconDeviceLaptop;
  return (
    <ProfileRow
      icon={<DeviceIcon size={22} stroke={1.6} />}
      name={
        <>
          {browserName(user_agent)}
          {current && <StateBadge tone="good">This browser</StateBadge>}
        </>
      }
      facts={
        <>
          {ip_address !== '' && <span>{ip_address}</span>}
          <span>Signed in {fullTime(signed_in)}</span>
          {!current && <span>Last used {fullTime(last_seen)}</span>}
          {sites.length > 0 && <span>Applications: {listOf(sites)}</span>}
        </>
      }
    >
      {!current && (
        <BusyButton
          variant="default"
          size="sm"
          busy={busy}
          aria-label={`Sign out ${browserName(user_agent)}`}
          onClick={onSignOut}
        >
          Sign out
        </BusyButton>
      )}
    </ProfileRow>
  );
}

type OthersDialogProps = { others: readonly Device[]; onClose: () => void };

function OthersDialog({ others, onClose }: OthersDialogProps) {
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
      text={`You stay signed in only in this browser.${remainingSessionsText(others)}`}
      action="Sign out all others"
      danger
      busy={ending.isPending}
      onConfirm={handleConfirm}
      onCancel={onClose}
    />
  );
}

const remainingSessionsText = (others: readonly Device[]): string => {
  if (!hasSites(others)) return '';
  const names = [...new Set(others.flatMap(({ sites }) => sites))].toSorted();
  return ` These applications may keep their own sessions until these expire: ${listOf(names)}.`;
};
