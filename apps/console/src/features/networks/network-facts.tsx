import type { NetworkDetails } from '@opensocial/contract';
import { useOwnsMainNetwork } from '../../api/session/role.ts';
import { CopyField } from '../../patterns/copy-field/copy-field.tsx';
import { formatNumber } from '../../patterns/format/format.ts';
import { InvitedOwners } from './invited-owners.tsx';
import classes from './network-facts.module.css';

type NetworkFactsProps = { network: NetworkDetails };

const roles = { admin: 'You are an owner', user: 'You are a member' };

/** §4: what each mode shows on the desktop. */
const modes = {
  AdminManaged: 'Desktops show the sites that have one of the user’s groups, or no group at all.',
  All: 'Desktops show every site, even those that the user cannot sign in to.',
  Visited: 'Desktops show the sites that the user has tried to sign in to.',
};

const figures = ['sites', 'users', 'groups', 'owners'] as const;

export function NetworkFacts({ network }: NetworkFactsProps) {
  const ownsMainNetwork = useOwnsMainNetwork();
  return (
    <div className={classes.facts}>
      <dl className={classes.figures}>
        {figures.map((figure) => (
          <div key={figure} className={classes.figure}>
            <dt>{figure}</dt>
            <dd>{formatNumber(network[figure])}</dd>
          </div>
        ))}
      </dl>
      <dl className={classes.lines}>
        <div>
          <dt>Your role</dt>
          <dd>{roles[network.role]}</dd>
        </div>
        <div>
          <dt>Mode</dt>
          <dd>
            {network.mode}
            <span className={classes.hint}>{modes[network.mode]}</span>
          </dd>
        </div>
      </dl>
      {ownsMainNetwork && <InvitedOwners network={{ id: network.id, name: network.url }} />}
      <section className={classes.identity}>
        <h3 className={classes.heading}>Identity provider</h3>
        <p className={classes.hint}>The data that an application needs to sign people in through this network.</p>
        <dl className={classes.fields}>
          <CopyField label="Entity ID" value={network.entity_id} />
          <CopyField label="Sign-on service URL" value={network.sso_url} />
          <CopyField label="Sign-out service URL" value={network.slo_url} />
        </dl>
      </section>
    </div>
  );
}

export function NetworkFactsSkeleton() {
  return (
    <div className={classes.facts} role="status" aria-label="Loading the network">
      <div className={classes.figures}>
        {figures.map((figure) => (
          <span key={figure} className={classes.placeholder} />
        ))}
      </div>
    </div>
  );
}
