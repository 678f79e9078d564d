import { useQuery } from '@tanstack/react-query';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { networkDetailsQuery } from '../../api/session/network-details.ts';
import { CopyField } from '../../patterns/copy-field/copy-field.tsx';
import { Fold } from '../../patterns/fold/fold.tsx';
import classes from './identity-provider-facts.module.css';

/** The data of our identity provider that must be registered at the site. */
export function IdentityProviderFacts() {
  const network = useAdminNetwork();
  const { data } = useQuery(networkDetailsQuery(network));
  return (
    <Fold title="Identity provider details">
      {data && (
        <dl className={classes.facts}>
          <CopyField label="Metadata" value={data.entity_id} />
          <CopyField label="Entity ID" value={data.entity_id} />
          <CopyField label="Sign-on service URL" value={data.sso_url} />
          <CopyField label="Sign-out service URL" value={data.slo_url} />
          <CopyField label="Certificate" value={data.certificate} />
        </dl>
      )}
    </Fold>
  );
}
