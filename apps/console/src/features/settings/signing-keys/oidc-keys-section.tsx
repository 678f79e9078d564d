import { Button, Skeleton } from '@mantine/core';
import type { OidcKey, OidcKeyReplacement } from '@opensocial/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { NetworkRef } from '../../../api/transport/network-ref.ts';
import { ConfirmDialog } from '../../../patterns/confirm/confirm-dialog.tsx';
import { CopyField } from '../../../patterns/copy-field/copy-field.tsx';
import { ErrorPanel } from '../../../patterns/error-panel/error-panel.tsx';
import { formatDate } from '../../../patterns/format/format.ts';
import { StateBadge } from '../../../patterns/state-mark/state-mark.tsx';
import { showErrorField } from '../../../patterns/toast/show-error-field.tsx';
import { showSuccess } from '../../../patterns/toast/show-success.tsx';
import { SettingsSection } from '../settings-section.tsx';
import { oidcKeysQuery, replaceKey } from './oidc-keys.api.ts';
import classes from './signing-keys.module.css';

type OidcKeysSectionProps = { network: NetworkRef };

/** §2.10, Keys for OpenID Connect. Changes are saved at once, not with the form around it. */
export function OidcKeysSection({ network }: OidcKeysSectionProps) {
  const query = useQuery(oidcKeysQuery(network));
  const replacing = useMutation(replaceKey(network));
  const [replacement, setReplacement] = useState<OidcKeyReplacement>();
  const confirm = (confirmed: OidcKeyReplacement) =>
    replacing.mutate(confirmed, {
      onSuccess: ({ message }) => showSuccess(message),
      onError: showErrorField,
      onSettled: () => setReplacement(undefined),
    });
  const keys = query.data?.keys ?? [];
  return (
    <SettingsSection
      id="oidc-keys"
      description="Applications read these keys by themselves, so that a key can be replaced without them: the new one is published now, and signs a day later."
      savesAtOnce="Each step asks for confirmation and takes effect at once."
    >
      {query.isLoadingError && <ErrorPanel onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Skeleton height={160} radius="md" role="status" aria-label="Loading the keys" />}
      {keys.map((key) => (
        <OidcKeyCard
          key={key.id}
          oidcKey={key}
          hasNext={keys.some(({ algorithm, state }) => algorithm === key.algorithm && state === 'next')}
          onReplace={setReplacement}
        />
      ))}
      {replacement && (
        <ConfirmDialog
          {...wordingOf(replacement)}
          busy={replacing.isPending}
          onConfirm={() => confirm(replacement)}
          onCancel={() => setReplacement(undefined)}
        />
      )}
    </SettingsSection>
  );
}

const wordingOf = ({ algorithm, is_compromised }: OidcKeyReplacement) =>
  is_compromised
    ? {
        title: `Revoke the ${algorithm} key`,
        text: 'The key is removed at once, and a new one signs from now on. Do this if somebody else may have the key. Applications that keep a copy of the published keys refuse sign-ins until they read them again, mostly within an hour.',
        action: 'Revoke the key',
        danger: true,
      }
    : {
        title: `Replace the ${algorithm} key`,
        text: 'A new key is published now, and signs a day later, when applications have read it. The former key stays published for a month. Nobody is signed out.',
        action: 'Replace the key',
      };

const names = { current: 'Current', next: 'Next', retired: 'Former' } as const;

const describeChange = ({ state, changes_at }: OidcKey): string => {
  if (changes_at === null) return 'Signs tokens now.';
  return state === 'next'
    ? `Begins to sign on ${formatDate(changes_at)}.`
    : `Stays published until ${formatDate(changes_at)}, so that tokens it has signed can be verified.`;
};

type OidcKeyCardProps = {
  oidcKey: OidcKey;
  hasNext: boolean;
  onReplace: (replacement: OidcKeyReplacement) => void;
};

function OidcKeyCard({ oidcKey: key, hasNext, onReplace }: OidcKeyCardProps) {
  const titleId = useId();
  const { algorithm } = key;
  return (
    <article className={classes.card} aria-labelledby={titleId}>
      <header className={classes.head}>
        <h3 id={titleId} className={classes.title}>
          {algorithm === 'RS256' ? 'RSA (RS256)' : 'ECDSA P-256 (ES256)'}
        </h3>
        <StateBadge tone={key.state === 'current' ? 'good' : 'quiet'}>{names[key.state]}</StateBadge>
      </header>
      <p className={classes.facts}>
        Published since {formatDate(key.created_at)}. {describeChange(key)}
      </p>
      <dl className={classes.values}>
        <CopyField label="Key ID" value={key.kid} />
      </dl>
      {key.state === 'current' && (
        <div className={classes.actions}>
          {!hasNext && (
            <Button variant="default" onClick={() => onReplace({ algorithm, is_compromised: false })}>
              Replace this key
            </Button>
          )}
          <Button variant="subtle" color="red" onClick={() => onReplace({ algorithm, is_compromised: true })}>
            Revoke this key
          </Button>
        </div>
      )}
    </article>
  );
}
