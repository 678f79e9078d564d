import '../../patterns/form/fields.css';
import { Skeleton } from '@mantine/core';
import type { Profile } from '@opensocial/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { useSessionUser } from '../../api/session/session.ts';
import { ErrorPanel } from '../../patterns/error-panel/error-panel.tsx';
import { PageHeading } from '../../patterns/page/page-heading.tsx';
import { DetailsCard } from './details/details-card.tsx';
import { profileQuery } from './details/profile.api.ts';
import { DevicesCard } from './devices/devices-card.tsx';
import { LoginsCard } from './logins/logins-card.tsx';
import { AboutMfa } from './mfa/about-mfa.tsx';
import { EmailMfaCard } from './mfa/email-mfa-card.tsx';
import { TotpCard } from './mfa/totp-card.tsx';
import { NetworksCard } from './networks/networks-card.tsx';
import { PasskeysCard } from './passkeys/passkeys-card.tsx';
import { PasswordCard } from './password/password-card.tsx';
import classes from './profile-page.module.css';

/** §2.5. */
export function ProfilePage() {
  const user = useSessionUser();
  const profile = useQuery(profileQuery(user));
  return (
    <>
      <PageHeading title="Profile" />
      {profile.data ? (
        <Cards profile={profile.data} />
      ) : profile.isLoadingError ? (
        <ErrorPanel onRetry={profile.refetch} retrying={profile.isFetching} />
      ) : (
        <Placeholder />
      )}
    </>
  );
}

/** §2.5: for users of a social login, the provider is responsible for the second factor. */
const ownLogin = 'OpenSocial';

type CardsProps = { profile: Profile };

function Cards({ profile }: CardsProps) {
  const { last_login_from } = useSessionUser();
  const hasOwnFactors = last_login_from === ownLogin;
  const { hash } = useLocation();
  useEffect(() => {
    if (hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash]);
  return (
    <div className={classes.page}>
      <DetailsCard profile={profile} />
      <div className={classes.columns}>
        <div id="password" className={classes.column}>
          <PasswordCard profile={profile} />
        </div>
        {hasOwnFactors && (
          <div id="second-factor" className={classes.column}>
            <TotpCard profile={profile} />
            <EmailMfaCard profile={profile} />
          </div>
        )}
      </div>
      {hasOwnFactors && <PasskeysCard profile={profile} />}
      <NetworksCard />
      <LoginsCard />
      <DevicesCard />
      <AboutMfa />
    </div>
  );
}

function Placeholder() {
  return (
    <div className={classes.page} role="status" aria-label="Loading your profile">
      <Skeleton height={248} radius="lg" />
      <div className={classes.columns}>
        <Skeleton height={400} radius="lg" />
        <div className={classes.column}>
          <Skeleton height={190} radius="lg" />
          <Skeleton height={190} radius="lg" />
        </div>
      </div>
    </div>
  );
}
