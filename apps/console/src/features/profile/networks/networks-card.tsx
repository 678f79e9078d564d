import { Button, Skeleton } from '@mantine/core';
import type { Invitation, OwnNetwork } from '@opensocial/contract';
import { IconMailOpened, IconServer2 } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { BusyButton } from '../../../patterns/busy-button/busy-button.tsx';
import { ConfirmDialog } from '../../../patterns/confirm/confirm-dialog.tsx';
import { fullTime } from '../../../patterns/format/format.ts';
import { StateBadge } from '../../../patterns/state-mark/state-mark.tsx';
import { showError } from '../../../patterns/toast/show-error.tsx';
import { showSuccess } from '../../../patterns/toast/show-success.tsx';
import { CardError } from '../card/card-error.tsx';
import { ProfileCard } from '../card/profile-card.tsx';
import { ProfileList, ProfileRow } from '../card/profile-row.tsx';
import { answerInvitation, leaveOwnNetwork, ownNetworksQuery } from './networks.api.ts';

/** The networks of the user, and pending invitations. */
export function NetworksCard() {
  const own = useQuery(ownNetworksQuery);
  // The mutation is in the card, because the list of invitations disappears with the last one, before the result is shown.
  const answering = useMutation(answerInvitation);
  const handleAnswer = (server: string, isAccepted: boolean) =>
    answering.mutate({ server, isAccepted }, { onError: showError, onSuccess: ({ message }) => showSuccess(message) });
  const isBusy = (server: string, isAccepted: boolean) =>
    answering.isPending && answering.variables.server === server && answering.variables.isAccepted === isAccepted;
  return (
    <ProfileCard
      title="Your networks"
      description="You can be invited to other networks. You decide whether to join, and you can leave again."
    >
      {own.data ? (
        <>
          {own.data.invitations.length > 0 && (
            <Invitations invitations={own.data.invitations} isBusy={isBusy} onAnswer={handleAnswer} />
          )}
          <Networks networks={own.data.networks} />
        </>
      ) : own.isLoadingError ? (
        <CardError subject="Your networks" query={own} />
      ) : (
        <Skeleton height={62} radius="md" />
      )}
    </ProfileCard>
  );
}

type InvitationsProps = {
  invitations: readonly Invitation[];
  isBusy: (server: string, isAccepted: boolean) => boolean;
  onAnswer: (server: string, isAccepted: boolean) => void;
};

function Invitations({ invitations, isBusy, onAnswer }: InvitationsProps) {
  return (
    <ProfileList label="Invitations">
      {invitations.map(({ server, owner, invited }) => (
        <ProfileRow
          key={server}
          icon={<IconMailOpened size={22} stroke={1.6} />}
          name={
            <>
              {server}
              <StateBadge tone="warn">Invitation</StateBadge>
            </>
          }
          facts={
            <>
              <span>
                {owner ? 'You are invited to be an owner of this network' : 'You are invited to join this network'}
              </span>
              <span>Invited {fullTime(invited)}</span>
            </>
          }
        >
          <BusyButton
            variant="default"
            size="sm"
            busy={isBusy(server, false)}
            aria-label={`Decline the invitation to ${server}`}
            onClick={() => onAnswer(server, false)}
          >
            Decline
          </BusyButton>
          <BusyButton
            size="sm"
            busy={isBusy(server, true)}
            aria-label={`Accept the invitation to ${server}`}
            onClick={() => onAnswer(server, true)}
          >
            Accept
          </BusyButton>
        </ProfileRow>
      ))}
    </ProfileList>
  );
}

const roleText = ({ role, last_owner }: OwnNetwork): string => {
  if (last_owner) return 'You are the only owner, so you cannot leave';
  return role === 'admin' ? 'You are an owner' : 'You are a member';
};

type NetworksProps = { networks: readonly OwnNetwork[] };

function Networks({ networks }: NetworksProps) {
  const [asked, setAsked] = useState<OwnNetwork>();
  return (
    <>
      <ProfileList label="Networks">
        {networks.map((network) => (
          <ProfileRow
            key={network.server}
            icon={<IconServer2 size={22} stroke={1.6} />}
            name={
              <>
                {network.server}
                {network.home && <StateBadge tone="good">Home network</StateBadge>}
              </>
            }
            facts={
              <>
                <span>{roleText(network)}</span>
                <span>Joined {fullTime(network.joined)}</span>
              </>
            }
          >
            {networks.length > 1 && !network.last_owner && (
              <Button
                variant="default"
                size="sm"
                aria-label={`Leave ${network.server}`}
                onClick={() => setAsked(network)}
              >
                Leave
              </Button>
            )}
          </ProfileRow>
        ))}
      </ProfileList>
      {asked && <LeaveDialog network={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

type LeaveDialogProps = { network: OwnNetwork; onClose: () => void };

function LeaveDialog({ network: { server, role }, onClose }: LeaveDialogProps) {
  const leaving = useMutation(leaveOwnNetwork);
  const handleConfirm = () =>
    leaving.mutate(server, {
      onError: showError,
      onSuccess: ({ message }) => showSuccess(message),
      onSettled: onClose,
    });
  const adminText = role === 'admin' ? ' You will no longer be one of its owners.' : '';
  return (
    <ConfirmDialog
      title={`Leave ${server}`}
      text={`You lose access to the applications of ${server} and your groups there.${adminText} To come back, you need a new invitation.`}
      action={`Leave ${server}`}
      danger
      busy={leaving.isPending}
      onConfirm={handleConfirm}
      onCancel={onClose}
    />
  );
}
