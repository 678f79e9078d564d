import { Button } from '@mantine/core';
import type { UnknownApplication } from '@opensocial/contract';
import { IconPlugConnected } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useAdminNetwork } from '../../../api/session/admin-network.ts';
import { BusyButton } from '../../../patterns/busy-button/busy-button.tsx';
import { Fold } from '../../../patterns/fold/fold.tsx';
import { exactTime, shortTime } from '../../../patterns/format/format.ts';
import { showErrorField } from '../../../patterns/toast/show-error-field.tsx';
import { dismissApplication, unknownApplicationsQuery } from './diagnosis.api.ts';
import classes from './unknown-applications.module.css';

type UnknownApplicationsProps = { onAdd: (application: UnknownApplication) => void };

/** §2.6: the applications that sent requests to the network without being registered; nothing if there are none. */
export function UnknownApplications({ onAdd }: UnknownApplicationsProps) {
  const network = useAdminNetwork();
  const { data: applications = [] } = useQuery(unknownApplicationsQuery(network));
  if (applications.length === 0) return null;
  return (
    <div className={classes.notice}>
      <Fold
        title={
          <span className={classes.title}>
            <IconPlugConnected className={classes.icon} size={18} stroke={1.8} aria-hidden="true" />
            {applications.length === 1
              ? 'Requests from an unknown application'
              : `Requests from ${applications.length} unknown applications`}
          </span>
        }
      >
        <p className={classes.hint}>
          Anybody can send such requests. Add an application only if you know it, and check the address with its
          administrator.
        </p>
        <ul className={classes.list}>
          {applications.map((application) => (
            <ApplicationItem key={application.id} application={application} onAdd={() => onAdd(application)} />
          ))}
        </ul>
      </Fold>
    </div>
  );
}

type ApplicationItemProps = { application: UnknownApplication; onAdd: () => void };

function ApplicationItem({ application, onAdd }: ApplicationItemProps) {
  const network = useAdminNetwork();
  const dismissing = useMutation(dismissApplication(network));
  const { protocol, identity, address, times, last_at } = application;
  return (
    <li className={classes.item}>
      <div className={classes.text}>
        <p className={classes.question}>
          A request arrived from <strong>{identity}</strong>: add this application?
        </p>
        <p className={classes.meta}>
          <span>{protocol === 'saml' ? 'SAML' : 'OpenID Connect'}</span>
          {address && <span>{`Response to ${address}`}</span>}
          <span title={exactTime(last_at)}>
            {times > 1 ? `${times} times, last on ${shortTime(last_at)}` : shortTime(last_at)}
          </span>
        </p>
      </div>
      <div className={classes.buttons}>
        <Button size="sm" variant="default" aria-label={`Add this application: ${identity}`} onClick={onAdd}>
          Add this application
        </Button>
        <BusyButton
          size="sm"
          variant="subtle"
          color="gray"
          aria-label={`Dismiss ${identity}`}
          busy={dismissing.isPending}
          onClick={() => dismissing.mutate(application, { onError: showErrorField })}
        >
          Dismiss
        </BusyButton>
      </div>
    </li>
  );
}
