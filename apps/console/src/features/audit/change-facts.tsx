import type { AuditDetails } from '@opensocial/contract';
import { Link } from 'react-router';
import { toUserDetails } from '../../api/links/panel-links.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { Fact, Facts } from '../../patterns/facts/facts.tsx';
import { exactTime } from '../../patterns/format/format.ts';
import classes from './change-facts.module.css';
import { DifferenceTable } from './difference-table.tsx';
import { RevertSection } from './revert-section.tsx';

type ChangeFactsProps = { record: AuditDetails; network: NetworkRef };

export function ChangeFacts({ record, network }: ChangeFactsProps) {
  const { object, actor, actor_id, ip_address, created_at, fields } = record;
  return (
    <div className={classes.change}>
      {object === 'claim' && (
        <p className={classes.claim}>
          This record was sent by a console. The server recorded the sender, the time and the address. Everything else
          is a claim of the console that has not been verified.
        </p>
      )}
      <Facts>
        <Fact label="Person">
          {actor_id === null ? actor : <Link to={toUserDetails(network.name, actor_id)}>{actor}</Link>}
        </Fact>
        <Fact label="Time">
          <time dateTime={created_at}>{exactTime(created_at)}</time>
        </Fact>
        <Fact label="IP Address">{ip_address || 'None: the change was made on the server itself'}</Fact>
        {object === 'claim' && (
          <>
            <Fact label="Claimed user">{record.claimed_user}</Fact>
            <Fact label="Claimed address">{record.claimed_source}</Fact>
          </>
        )}
      </Facts>
      <RevertSection record={record} network={network} />
      <DifferenceTable fields={fields} />
    </div>
  );
}
