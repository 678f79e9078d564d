import { Checkbox } from '@mantine/core';
import '../../patterns/form/fields.css';
import { ApiError } from '@opensocial/contract';
import { IconUserOff } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Outlet, useParams } from 'react-router';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { PersonPicture } from '../../patterns/default-image/person-picture.tsx';
import { ErrorPanel } from '../../patterns/error-panel/error-panel.tsx';
import { Notice } from '../../patterns/notice/notice.tsx';
import { SidePanel } from '../../patterns/side-panel/side-panel.tsx';
import { StateDot } from '../../patterns/state-mark/state-mark.tsx';
import { showError } from '../../patterns/toast/show-error.tsx';
import { showSuccess } from '../../patterns/toast/show-success.tsx';
import classes from './user-panel.module.css';
import { saveNeverDisable, userQuery } from './users.api.ts';
import { toUsers, toUserTab } from './users.links.ts';

const tabs = [
  ['User Details', 'details'],
  ['Groups', 'groups'],
  ['Sites', 'sites'],
  ['Access', 'access'],
  ['Activity', 'activity'],
  ['Timeline', 'timeline'],
] as const;

const isGone = (error: Error | null): boolean => error instanceof ApiError && error.status === 404;

/** §2.8, user side panel. */
export function UserPanel() {
  const network = useAdminNetwork();
  const id = Number(useParams()['user_id']);
  const { data: user, ...query } = useQuery(userQuery(network, id));
  const saving = useMutation(saveNeverDisable(network, id));
  // Optimistic value of the checkbox, because the state of the query changes a moment later.
  const [wanted, setWanted] = useState<'Yes' | 'No'>();
  const handleToggle = (never: boolean) => {
    const flag = never ? 'Yes' : 'No';
    setWanted(flag);
    saving.mutate(flag, {
      onError: showError,
      onSuccess: ({ message }) => showSuccess(message),
      onSettled: () => setWanted(undefined),
    });
  };
  const isActive = user?.user_mode === 'Active';
  const name = user ? user.fullname || user.email : '';
  return (
    <SidePanel
      closeTo={toUsers(network.name)}
      plate={<PersonPicture address={user?.photoURL ?? ''} size={44} />}
      name={name || 'User'}
      state={
        user && (
          <span className={classes.state}>
            <StateDot tone={isActive ? 'good' : 'warn'}>{isActive ? 'account active' : 'account disabled'}</StateDot>
            <Checkbox
              size="xs"
              label="never disable"
              checked={(wanted ?? user.bypass_inactivity) === 'Yes'}
              onChange={(event) => handleToggle(event.currentTarget.checked)}
            />
          </span>
        )
      }
      tabs={tabs.map(([label, tab]) => ({ label, to: toUserTab(network.name, id, tab) }))}
    >
      {query.isLoadingError &&
        (isGone(query.error) ? (
          <Notice icon={<IconUserOff />} title="This user was not found">
            They were removed from the network.
          </Notice>
        ) : (
          <ErrorPanel onRetry={query.refetch} retrying={query.isFetching} />
        ))}
      {!query.isLoadingError && <Outlet context={user} />}
    </SidePanel>
  );
}
