import { Button } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useParams } from 'react-router';
import { ErrorPanel } from '../../../patterns/error-panel/error-panel.tsx';
import { FactsSkeleton } from '../../../patterns/facts/facts.tsx';
import formClasses from '../../../patterns/form/form.module.css';
import { ApplicationGuide } from './application-guide.tsx';
import { ClientFacts } from './client-facts.tsx';
import { ClientSecrets } from './client-secrets.tsx';
import { oidcClientQuery } from './sites.oidc.api.ts';

const SiteModal = lazy(async () => ({ default: (await import('../site-modal.tsx')).SiteModal }));

/** §2.7, OpenID Connect. */
export function SiteOidcTab() {
  const { site_id = '' } = useParams();
  return <ClientPage key={site_id} id={Number(site_id)} />;
}

const noSecrets = {
  private_key_jwt: 'This site signs with its own key, so it has no secret.',
  none: 'This site is a public client, so it has no secret.',
};

type ClientPageProps = { id: number };

function ClientPage({ id }: ClientPageProps) {
  const { data: client, ...query } = useQuery(oidcClientQuery(id));
  const [isEditing, setIsEditing] = useState(false);
  const [secret, setSecret] = useState('');
  if (query.isLoadingError) return <ErrorPanel onRetry={() => void query.refetch()} retrying={query.isFetching} />;
  if (!client) return <FactsSkeleton label="Loading the parameters" lines={4} />;
  return (
    <div className={formClasses.form}>
      <ClientFacts client={client} />
      <div className={formClasses.row}>
        <Button
          variant="default"
          leftSection={<IconPencil size={16} stroke={1.8} />}
          onClick={() => setIsEditing(true)}
        >
          Edit SSO parameters
        </Button>
      </div>
      {client.authentication === 'secret' ? (
        <ClientSecrets client={client} secret={secret} onMade={setSecret} />
      ) : (
        <p className={formClasses.hint}>{noSecrets[client.authentication]}</p>
      )}
      <ApplicationGuide client={client} secret={client.authentication === 'secret' ? secret : ''} />
      <Suspense>
        {isEditing && (
          <SiteModal site={{ id, domain: client.domain, protocol: 'oidc' }} onClose={() => setIsEditing(false)} />
        )}
      </Suspense>
    </div>
  );
}
