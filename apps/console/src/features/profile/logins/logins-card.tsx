import { Button, Skeleton } from '@mantine/core';
import type { LinkedLogin } from '@opensocial/contract';
import {
  IconBrandFacebook,
  IconBrandGithub,
  IconBrandGoogle,
  IconBrandLinkedin,
  IconBrandWindows,
  IconBrandX,
  IconLogin2,
} from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../../patterns/confirm/confirm-dialog.tsx';
import { fullTime } from '../../../patterns/format/format.ts';
import { showError } from '../../../patterns/toast/show-error.tsx';
import { showSuccess } from '../../../patterns/toast/show-success.tsx';
import { CardError } from '../card/card-error.tsx';
import { ProfileCard } from '../card/profile-card.tsx';
import classes from '../card/profile-row.module.css';
import { ProfileList, ProfileRow } from '../card/profile-row.tsx';
import { loginsQuery, unlinkLogin } from './logins.api.ts';

/** The social logins that are linked to the account, with a button to unlink each. */
export function LoginsCard() {
  const logins = useQuery(loginsQuery);
  return (
    <ProfileCard
      title="Linked sign-ins"
      description="Accounts of other services that you can sign in with, if an application offers them."
    >
      {logins.data ? (
        <Logins logins={logins.data} />
      ) : logins.isLoadingError ? (
        <CardError subject="Your linked sign-ins" query={logins} />
      ) : (
        <Skeleton height={62} radius="md" />
      )}
    </ProfileCard>
  );
}

type LoginsProps = { logins: readonly LinkedLogin[] };

function Logins({ logins }: LoginsProps) {
  const [asked, setAsked] = useState<LinkedLogin>();
  if (logins.length === 0 && !asked)
    return (
      <p className={classes.empty}>
        You have no linked sign-ins yet. When you sign in to an application with another service, that service is linked
        to the account with the same email address.
      </p>
    );
  return (
    <>
      <ProfileList label="Linked sign-ins">
        {logins.map((login) => (
          <LoginRow key={login.id} login={login} onUnlink={() => setAsked(login)} />
        ))}
      </ProfileList>
      {asked && <UnlinkDialog login={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

const brands: Record<string, typeof IconLogin2> = {
  google: IconBrandGoogle,
  linkedin: IconBrandLinkedin,
  facebook: IconBrandFacebook,
  github: IconBrandGithub,
  twitter: IconBrandX,
  azure: IconBrandWindows,
};

type LoginRowProps = { login: LinkedLogin; onUnlink: () => void };

function LoginRow({ login: { provider, label, linked, last_used }, onUnlink }: LoginRowProps) {
  const BrandIcon = brands[provider] ?? IconLogin2;
  return (
    <ProfileRow
      icon={<BrandIcon size={22} stroke={1.6} />}
      name={label}
      facts={
        <>
          <span>Linked {fullTime(linked)}</span>
          {last_used !== null && <span>Last used {fullTime(last_used)}</span>}
        </>
      }
    >
      <Button variant="default" size="sm" aria-label={`Unlink ${label}`} onClick={onUnlink}>
        Unlink
      </Button>
    </ProfileRow>
  );
}

type UnlinkDialogProps = { login: LinkedLogin; onClose: () => void };

/** The dialog is beside the list, because the row disappears before the result is shown. */
function UnlinkDialog({ login: { id, label }, onClose }: UnlinkDialogProps) {
  const unlinking = useMutation(unlinkLogin);
  const handleConfirm = () =>
    unlinking.mutate(id, {
      onError: showError,
      onSuccess: ({ message }) => showSuccess(message),
      onSettled: onClose,
    });
  return (
    <ConfirmDialog
      title={`Unlink ${label}`}
      text={`This ${label} account can no longer be used to sign in as you. You will be signed out in your other browsers.`}
      action={`Unlink ${label}`}
      danger
      busy={unlinking.isPending}
      onConfirm={handleConfirm}
      onCancel={onClose}
    />
  );
}
