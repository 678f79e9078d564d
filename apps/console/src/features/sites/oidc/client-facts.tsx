import type { OidcClient } from '@opensocial/contract';
import { CopyField } from '../../../patterns/copy-field/copy-field.tsx';
import { Fold } from '../../../patterns/fold/fold.tsx';
import factClasses from '../identity-provider-facts.module.css';

type ClientFactsProps = { client: OidcClient };

/** What the application must know. Most need only the first three. */
export function ClientFacts({ client: { client_id, endpoints } }: ClientFactsProps) {
  return (
    <>
      <dl className={factClasses.facts}>
        <CopyField label="Issuer" value={endpoints.issuer} />
        <CopyField label="Discovery URL" value={endpoints.discovery} />
        <CopyField label="Client ID" value={client_id} />
      </dl>
      <Fold title="Endpoints">
        <dl className={factClasses.facts}>
          <CopyField label="Authorization endpoint" value={endpoints.authorization} />
          <CopyField label="Token endpoint" value={endpoints.token} />
          <CopyField label="User info endpoint" value={endpoints.userinfo} />
          <CopyField label="Keys (JWKS)" value={endpoints.jwks} />
          <CopyField label="Logout endpoint" value={endpoints.logout} />
        </dl>
      </Fold>
    </>
  );
}
