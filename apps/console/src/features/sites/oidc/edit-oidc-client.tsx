import { useMutation, useQuery } from '@tanstack/react-query';
import { ErrorPanel } from '../../../patterns/error-panel/error-panel.tsx';
import { showSuccess } from '../../../patterns/toast/show-success.tsx';
import { ParametersSkeleton } from '../parameters-form.tsx';
import { OidcForm } from './oidc-form.tsx';
import { toChanges, toValues } from './oidc-values.ts';
import { oidcClientQuery, reloadOidcClient, saveOidcClient } from './sites.oidc.api.ts';

type EditOidcClientProps = { id: number; onClose: () => void; onDirtyChange: (isDirty: boolean) => void };

/** §2.6, SSO Parameters of a site that uses OpenID Connect. */
export function EditOidcClient({ id, onClose, onDirtyChange }: EditOidcClientProps) {
  const stored = useQuery(oidcClientQuery(id));
  const saving = useMutation(saveOidcClient(id));
  // Cached data may be older than the last save of another person.
  if (stored.isPending || (stored.isFetching && !stored.isFetchedAfterMount)) return <ParametersSkeleton />;
  if (!stored.data) return <ErrorPanel onRetry={stored.refetch} retrying={stored.isFetching} />;
  return (
    <OidcForm
      initial={toValues(stored.data)}
      onReload={async () => toValues(await reloadOidcClient(id))}
      fixed
      action="Update"
      busy={saving.isPending}
      error={saving.error}
      onDirtyChange={onDirtyChange}
      onSubmit={(values, { onError }) =>
        saving.mutate(toChanges(id, values), {
          onError,
          onSuccess: () => {
            showSuccess('Site sucessfully updated.');
            onClose();
          },
        })
      }
    />
  );
}
