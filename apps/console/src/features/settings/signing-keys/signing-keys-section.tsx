import { Button, Skeleton } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { NetworkRef } from '../../../api/transport/network-ref.ts';
import { ErrorPanel } from '../../../patterns/error-panel/error-panel.tsx';
import { showErrorField } from '../../../patterns/toast/show-error-field.tsx';
import { showSuccess } from '../../../patterns/toast/show-success.tsx';
import { SettingsSection } from '../settings-section.tsx';
import { KeyChangeDialog } from './key-change-dialog.tsx';
import { SigningKeyCard } from './signing-key-card.tsx';
import { SigningKeySites } from './signing-key-sites.tsx';
import { changeKeys, type KeyChange, signingKeysQuery } from './signing-keys.api.ts';
import classes from './signing-keys.module.css';

type SigningKeysSectionProps = { network: NetworkRef };

/** §2.10, Signing keys and certificates. Changes are saved at once, not with the form around it. */
export function SigningKeysSection({ network }: SigningKeysSectionProps) {
  const query = useQuery(signingKeysQuery(network));
  const changing = useMutation(changeKeys(network));
  const [change, setChange] = useState<KeyChange>();
  const confirm = (confirmed: KeyChange) =>
    changing.mutate(confirmed, {
      onSuccess: ({ message }) => showSuccess(message),
      onError: showErrorField,
      onSettled: () => setChange(undefined),
    });
  const keys = query.data?.keys ?? [];
  const hasNext = keys.some(({ state }) => state === 'next');
  return (
    <SettingsSection
      id="signing-keys"
      description="Applications verify sign-ins with the certificate of this network’s key. Before it expires, publish the next key and switch the sites to it, one by one or all at once."
      savesAtOnce="Each step asks for confirmation and takes effect at once."
    >
      {query.isLoadingError && <ErrorPanel onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Skeleton height={220} radius="md" role="status" aria-label="Loading the signing keys" />}
      {query.data && (
        <>
          {keys.map((key) => (
            <SigningKeyCard key={key.id} signingKey={key} hasNext={hasNext} onChange={setChange} />
          ))}
          {!hasNext && (
            <div>
              <Button
                variant="default"
                leftSection={<IconPlus size={16} stroke={1.8} />}
                onClick={() => setChange({ kind: 'create', algorithm: 'rsa-2048' })}
              >
                Create the next key
              </Button>
            </div>
          )}
          <h3 className={classes.title}>Sites</h3>
          <SigningKeySites network={network} keys={keys} onChange={setChange} />
        </>
      )}
      {change && (
        <KeyChangeDialog
          change={change}
          sites={query.data?.sites ?? 0}
          busy={changing.isPending}
          onConfirm={confirm}
          onCancel={() => setChange(undefined)}
        />
      )}
    </SettingsSection>
  );
}
