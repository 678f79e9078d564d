import type { InvitedOwner } from '@opensocial/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { BusyButton } from '../../patterns/busy-button/busy-button.tsx';
import { ConfirmDialog } from '../../patterns/confirm/confirm-dialog.tsx';
import { InvitationLinkDialog } from '../../patterns/invitation-link/invitation-link-dialog.tsx';
import { showError } from '../../patterns/toast/show-error.tsx';
import { showSuccess } from '../../patterns/toast/show-success.tsx';
import classes from './invited-owners.module.css';
import facts from './network-facts.module.css';
import { invitedOwnersQuery, inviteOwnerAgain } from './networks.api.ts';

type InvitedOwnersProps = { network: NetworkRef };

const buttons = { mail: 'Invite again', link: 'New invitation link' };

/** §2.4: an owner of the main network invites an owner again whose invitation was lost. */
export function InvitedOwners({ network }: InvitedOwnersProps) {
  const { data: owners = [] } = useQuery(invitedOwnersQuery(network));
  const inviting = useMutation(inviteOwnerAgain(network));
  const [asked, setAsked] = useState<InvitedOwner>();
  const [made, setMade] = useState<{ email: string; link: string }>();
  const invite = ({ id, owner }: InvitedOwner) =>
    inviting.mutate(id, {
      onError: showError,
      onSuccess: ({ message, invitation }) => {
        if (invitation) setMade({ email: owner, link: invitation.link });
        else showSuccess(message);
      },
      onSettled: () => setAsked(undefined),
    });
  return (
    <>
      {owners.length > 0 && (
        <section>
          <h3 className={facts.heading}>Invited owners</h3>
          <p className={facts.hint}>They become owners of the network when they accept the invitation.</p>
          <ul className={classes.owners} aria-label="Invited owners">
            {owners.map((invited) => (
              <li key={invited.id} className={classes.owner}>
                <span className={classes.email}>{invited.owner}</span>
                {invited.invite === 'account' ? (
                  <span className={facts.hint}>Has an account, and finds the invitation on the profile.</span>
                ) : (
                  <BusyButton
                    variant="default"
                    size="sm"
                    aria-label={`${buttons[invited.invite]} for ${invited.owner}`}
                    busy={inviting.isPending && inviting.variables === invited.id}
                    onClick={() => (invited.invite === 'link' ? setAsked(invited) : invite(invited))}
                  >
                    {buttons[invited.invite]}
                  </BusyButton>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {asked && (
        <ConfirmDialog
          title={`Create a link for ${asked.owner}`}
          text="Give the link only to this person: whoever has it can set the password of the account, and becomes an owner of the network. It works once, within a day, and earlier links stop working."
          action="Create invitation link"
          busy={inviting.isPending}
          onConfirm={() => invite(asked)}
          onCancel={() => setAsked(undefined)}
        />
      )}
      {made && <InvitationLinkDialog {...made} onClose={() => setMade(undefined)} />}
    </>
  );
}
