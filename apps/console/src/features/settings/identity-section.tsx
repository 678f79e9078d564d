import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { networkDetailsQuery } from '../../api/session/network-details.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { CopyField } from '../../patterns/copy-field/copy-field.tsx';
import classes from './identity-section.module.css';
import { SettingsSection } from './settings-section.tsx';

type IdentitySectionProps = { network: NetworkRef };

/** §2.10, IdP Identity Information: read-only, derived from the server's host. */
export function IdentitySection({ network }: IdentitySectionProps) {
  const { data } = useQuery(networkDetailsQuery(network));
  return (
    <SettingsSection
      id="identity"
      description="The data that an application needs before it can sign people in through this network. Most applications read it from the metadata."
    >
      {data && (
        <>
          <dl className={classes.facts}>
            <CopyField label="Entity ID" value={data.entity_id} />
            <CopyField label="Sign-on service URL" value={data.sso_url} />
            <CopyField label="Sign-out service URL" value={data.slo_url} />
            <CopyField label="Certificate" value={data.certificate} />
          </dl>
          <div>
            <Button
              component="a"
              variant="default"
              href={data.entity_id}
              download={`${network.name}-metadata.xml`}
              leftSection={<IconDownload size={16} stroke={1.8} />}
            >
              Download metadata
            </Button>
          </div>
        </>
      )}
    </SettingsSection>
  );
}
