import { Button } from '@mantine/core';
import type { SiteOverview } from '@opensocial/contract';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useAdminNetwork } from '../../../api/session/admin-network.ts';
import { networkDetailsQuery } from '../../../api/session/network-details.ts';
import { CopyField } from '../../../patterns/copy-field/copy-field.tsx';
import { downloadText } from '../../../patterns/download/download-text.ts';
import { FactsSkeleton } from '../../../patterns/facts/facts.tsx';
import formClasses from '../../../patterns/form/form.module.css';
import factClasses from '../identity-provider-facts.module.css';

type ProviderValuesProps = { overview: SiteOverview };

/** What the administrator of an application that uses SAML enters there. */
export function ProviderValues({ overview: { certificate, certificates } }: ProviderValuesProps) {
  const network = useAdminNetwork();
  const { data } = useQuery(networkDetailsQuery(network));
  if (!data) return <FactsSkeleton label="Loading the values" lines={4} />;
  const fingerprint = certificates.find(({ use }) => use === 'identity_provider')?.fingerprint ?? '';
  const download = <IconDownload size={16} stroke={1.8} />;
  return (
    <div className={formClasses.form}>
      <dl className={factClasses.facts}>
        <CopyField label="Metadata URL" value={data.entity_id} />
        <CopyField label="Entity ID (issuer)" value={data.entity_id} />
        <CopyField label="Sign-on URL" value={data.sso_url} />
        <CopyField label="Sign-out URL" value={data.slo_url} />
        <CopyField label="Certificate" value={certificate} shown={`${certificate.slice(28, 68).trim()}…`} />
        <CopyField label="Fingerprint of the certificate (SHA-256)" value={fingerprint} />
      </dl>
      <div className={formClasses.row}>
        <Button
          variant="default"
          leftSection={download}
          component="a"
          href={data.entity_id}
          download={`${network.name}-metadata.xml`}
        >
          Download metadata
        </Button>
        <Button
          variant="default"
          leftSection={download}
          onClick={() => downloadText(certificate, `${network.name}-certificate.pem`, 'application/x-pem-file')}
        >
          Download certificate
        </Button>
      </div>
    </div>
  );
}
