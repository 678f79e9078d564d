import { Skeleton } from '@mantine/core';
import type { User, UserSecurity } from '@opensocial/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { browserName } from '../../patterns/browser-name/browser-name.ts';
import { BusyButton } from '../../patterns/busy-button/busy-button.tsx';
import { ConfirmDialog } from '../../patterns/confirm/confirm-dialog.tsx';
import { Fold } from '../../patterns/fold/fold.tsx';
import form from '../../patterns/form/form.module.css';
import { logTime } from '../../patterns/time/log-time.ts';
import { showError } from '../../patterns/toast/show-error.tsx';
import { showSuccess } from '../../patterns/toast/show-success.tsx';
import classes from './user-security-section.module.css';
import { endSessions, resetFactors, userSecurityQuery } from './users.api.ts';

const factorNames = { passkey: 'passkey', totp: 'authenticator app', email: 'email codes' } as const;

type UserSecuritySectionProps = { user: User };

/** The sessions and second factors of a user, with the actions of a help desk. */
export function UserSecuritySection({ user }: UserSecuritySectionProps) {
  const network = useAdminNetwork();
  const security = useQuery(userSecurityQuery(network, user.id));
  return (
    <Fold title="Sessions and second factors">
      {security.data ? (
        <>
          <Sessions user={user} security={security.data} />
          <Factors user={user} security={security.data} />
        </>
      ) : security.isLoadingError ? (
        <p role="alert" className={form.hint}>
          The sessions could not be loaded.
        </p>
      ) : (
        <Skeleton height={96} radius="md" />
      )}
    </Fold>
  );
}

type PartProps = { user: User; security: UserSecurity };

function Sessions({ user, security: { sessions, everywhere } }: PartProps) {
  const network = useAdminNetwork();
  const [isAsking, setIsAsking] = useState(false);
  const ending = useMutation(endSessions(network, user.id));
  const handleConfirm = () =>
    ending.mutate(undefined, {
      onError: showError,
      onSuccess: ({ message }) => showSuccess(message),
      onSettled: () => setIsAsking(false),
    });
  const where = everywhere ? 'everywhere' : `in ${network.name}`;
  return (
    <section className={classes.part}>
      <h3 className={form.legend}>Signed in</h3>
      {sessions.length === 0 ? (
        <p className={form.hint}>{everywhere ? 'Not signed in anywhere.' : `Not signed in to ${network.name}.`}</p>
      ) : (
        <>
          <ul className={classes.sessions}>
            {sessions.map(({ id, user_agent, ip_address, signed_in, last_seen, sites }) => (
              <li key={id}>
                <strong>{browserName(user_agent)}</strong>
                <span className={form.hint}>
                  {[
                    ip_address,
                    `signed in ${logTime(signed_in)}`,
                    `last used ${logTime(last_seen)}`,
                    ...(sites.length > 0 ? [new Intl.ListFormat('en').format(sites)] : []),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </li>
            ))}
          </ul>
          <div>
            <BusyButton variant="default" size="sm" busy={ending.isPending} onClick={() => setIsAsking(true)}>
              Sign out {where}
            </BusyButton>
          </div>
        </>
      )}
      {isAsking && (
        <ConfirmDialog
          title={`Sign out ${user.email}`}
          text={`${user.email} is signed out ${where} and notified by mail. Open applications may keep their own sessions until these expire.`}
          action={`Sign out ${where}`}
          danger
          busy={ending.isPending}
          onConfirm={handleConfirm}
          onCancel={() => setIsAsking(false)}
        />
      )}
    </section>
  );
}

function Factors({ user, security: { factors, may_reset, everywhere } }: PartProps) {
  const network = useAdminNetwork();
  const [isAsking, setIsAsking] = useState(false);
  const resetting = useMutation(resetFactors(network, user.id));
  const handleConfirm = () =>
    resetting.mutate(undefined, {
      onError: showError,
      onSuccess: ({ message }) => showSuccess(message),
      onSettled: () => setIsAsking(false),
    });
  if (!everywhere)
    return (
      <section className={classes.part}>
        <h3 className={form.legend}>Second factors</h3>
        <p className={form.hint}>
          This person also belongs to other networks, so only an owner of the main network can reset lost second
          factors.
        </p>
      </section>
    );
  const names = new Intl.ListFormat('en').format(factors.map((factor) => factorNames[factor]));
  return (
    <section className={classes.part}>
      <h3 className={form.legend}>Second factors</h3>
      <p className={form.hint}>{factors.length === 0 ? 'No second factor is set up.' : `Set up: ${names}.`}</p>
      {may_reset && (
        <div>
          <BusyButton variant="default" size="sm" busy={resetting.isPending} onClick={() => setIsAsking(true)}>
            Reset second factors
          </BusyButton>
        </div>
      )}
      {isAsking && (
        <ConfirmDialog
          title={`Reset the second factors of ${user.email}`}
          text="Do this only if you are sure who is asking: until a new second factor is set up, only the password protects the account. The person is signed out everywhere and notified by mail."
          action="Reset second factors"
          danger
          busy={resetting.isPending}
          onConfirm={handleConfirm}
          onCancel={() => setIsAsking(false)}
        />
      )}
    </section>
  );
}
