import type { User, UserAction, UserSecurity } from '@opensocial/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useAdminNetwork } from '../../../api/session/admin-network.ts';
import { BusyButton } from '../../../patterns/busy-button/busy-button.tsx';
import { ConfirmDialog } from '../../../patterns/confirm/confirm-dialog.tsx';
import form from '../../../patterns/form/form.module.css';
import { InvitationLinkDialog } from '../../../patterns/invitation-link/invitation-link-dialog.tsx';
import { showError } from '../../../patterns/toast/show-error.tsx';
import { showSuccess } from '../../../patterns/toast/show-success.tsx';
import { actionOrder, actionTexts, missingActions } from './action-texts.ts';
import { takeAction } from './help-desk.api.ts';
import classes from './help-desk.module.css';

type UserActionsProps = { user: User; security: UserSecurity };

/** What a help desk can do for a person, and why other actions are missing. */
export function UserActions({ user, security }: UserActionsProps) {
  const network = useAdminNetwork();
  const acting = useMutation(takeAction(network, user));
  const [asked, setAsked] = useState<UserAction>();
  const [link, setLink] = useState<string>();
  const facts = { user, security, network: network.name };
  const run = (action: UserAction) =>
    acting.mutate(action, {
      onError: showError,
      onSuccess: ({ message, link: made }) => {
        if (made === undefined) showSuccess(message);
        setLink(made);
      },
      onSettled: () => setAsked(undefined),
    });
  const question = asked && actionTexts(asked, facts).question;
  const missing = missingActions(facts);
  return (
    <div className={classes.part}>
      <div className={classes.buttons}>
        {actionOrder
          .filter((action) => security.actions[action] === 'possible')
          .map((action) => {
            const texts = actionTexts(action, facts);
            return (
              <BusyButton
                key={action}
                variant="default"
                size="sm"
                busy={acting.isPending && acting.variables === action}
                onClick={() => (texts.question ? setAsked(action) : run(action))}
              >
                {texts.button}
              </BusyButton>
            );
          })}
      </div>
      {missing.map((reason) => (
        <p key={reason} className={form.hint}>
          {reason}
        </p>
      ))}
      {asked && question && (
        <ConfirmDialog
          {...question}
          action={actionTexts(asked, facts).button}
          busy={acting.isPending}
          onConfirm={() => run(asked)}
          onCancel={() => setAsked(undefined)}
        />
      )}
      {link !== undefined && <InvitationLinkDialog email={user.email} link={link} onClose={() => setLink(undefined)} />}
    </div>
  );
}
