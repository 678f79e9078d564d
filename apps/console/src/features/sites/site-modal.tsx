import type { SiteDraft, SiteProtocol, SiteRow, Subscriber, UnknownApplication } from '@opensocial/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { Dialog } from '../../patterns/dialog/dialog.tsx';
import { ErrorPanel } from '../../patterns/error-panel/error-panel.tsx';
import { CardChoice } from '../../patterns/form/card-choice.tsx';
import formClasses from '../../patterns/form/form.module.css';
import { showSuccess } from '../../patterns/toast/show-success.tsx';
import { requestedValues } from './diagnosis/requested-values.ts';
import { blankParameters, type NewParameters } from './new-parameters.ts';
import { AddOidcSite } from './oidc/add-oidc-site.tsx';
import { EditOidcClient } from './oidc/edit-oidc-client.tsx';
import { ParametersForm, ParametersSkeleton, type ParametersValues } from './parameters-form.tsx';
import { addSite, reloadSubscriber, saveSubscriber, subscriberQuery } from './sites.api.ts';

type SiteModalProps = {
  /** Absent for a new site. */
  site?: Pick<SiteRow, 'id' | 'domain' | 'protocol'>;
  /** The application that a new site is for, if it has sent a request already. */
  application?: UnknownApplication | undefined;
  onClose: () => void;
};

/** §2.6, Add New Site / SSO Parameters. */
export function SiteModal({ site, application, onClose }: SiteModalProps) {
  const [isDirty, setIsDirty] = useState(false);
  return (
    <Dialog
      onClose={onClose}
      title={site ? 'SSO Parameters' : 'Add New Site'}
      size={600}
      dirty={isDirty}
      // A click outside must not lose the input.
      closeOnClickOutside={false}
    >
      {site ? (
        <EditSite site={site} onClose={onClose} onDirtyChange={setIsDirty} />
      ) : (
        <NewSite application={application} onClose={onClose} onDirtyChange={setIsDirty} />
      )}
    </Dialog>
  );
}

type CloseProps = { onClose: () => void; onDirtyChange: (isDirty: boolean) => void };

const protocols: { value: SiteProtocol; label: string; description: string }[] = [
  {
    value: 'saml',
    label: 'SAML',
    description: 'For applications that have metadata, or ask for an entity ID: universities and business software.',
  },
  {
    value: 'oidc',
    label: 'OpenID Connect',
    description: 'For most applications of today: Grafana, GitLab, Nextcloud and many others.',
  },
];

type NewSiteProps = CloseProps & { application: UnknownApplication | undefined };

/** The choice of the protocol, and its form. A form that was left for the other one keeps its input. */
function NewSite({ application, onClose, onDirtyChange }: NewSiteProps) {
  const [protocol, setProtocol] = useState<SiteProtocol>(application?.protocol ?? 'saml');
  const [wasOidcOpened, setWasOidcOpened] = useState(protocol === 'oidc');
  const [isAdded, setIsAdded] = useState(false);
  const [dirty, setDirty] = useState({ saml: false, oidc: false });
  const isDirty = (dirty.saml || dirty.oidc) && !isAdded;
  useEffect(() => onDirtyChange(isDirty), [isDirty, onDirtyChange]);
  const handleSamlDirty = useCallback((saml: boolean) => setDirty((forms) => ({ ...forms, saml })), []);
  const handleOidcDirty = useCallback((oidc: boolean) => setDirty((forms) => ({ ...forms, oidc })), []);
  const handleChoice = (chosen: SiteProtocol) => {
    setProtocol(chosen);
    if (chosen === 'oidc') setWasOidcOpened(true);
  };
  return (
    <div className={formClasses.form}>
      {!isAdded && (
        <>
          <CardChoice label="Protocol" options={protocols} value={protocol} onChange={handleChoice} />
          <div hidden={protocol !== 'saml'}>
            <AddSite application={application} onClose={onClose} onDirtyChange={handleSamlDirty} />
          </div>
        </>
      )}
      {wasOidcOpened && (
        <div hidden={protocol !== 'oidc'}>
          <AddOidcSite
            application={application}
            onClose={onClose}
            onDirtyChange={handleOidcDirty}
            onAdded={() => setIsAdded(true)}
          />
        </div>
      )}
    </div>
  );
}

/** The values of a request that an application has sent. */
const valuesOf = (application: UnknownApplication | undefined): NewParameters => {
  if (application?.protocol !== 'saml') return blankParameters;
  const { identity, address, domain } = requestedValues(application);
  return { ...blankParameters, identity, acs: address, domain };
};

function AddSite({ application, onClose, onDirtyChange }: NewSiteProps) {
  const network = useAdminNetwork();
  const [, setParams] = useSearchParams();
  const adding = useMutation(addSite(network));
  const handleSubmit = (draft: SiteDraft, { onError }: { onError: (error: Error) => void }) =>
    adding.mutate(draft, {
      onError,
      // §4: the list is loaded again with the domain as the search text.
      onSuccess: ({ domain }) => {
        setParams({ search: domain });
        onClose();
      },
    });
  return (
    <ParametersForm
      initial={valuesOf(application)}
      action="Add New Site"
      busy={adding.isPending}
      error={adding.error}
      onDirtyChange={onDirtyChange}
      onSubmit={handleSubmit}
    />
  );
}

const toValues = ({ id: _id, sso_server: _server, ...values }: Subscriber): ParametersValues => values;

type EditSiteProps = CloseProps & { site: Pick<SiteRow, 'id' | 'protocol'> };

function EditSite({ site: { id, protocol }, ...handlers }: EditSiteProps) {
  return protocol === 'oidc' ? <EditOidcClient id={id} {...handlers} /> : <EditParameters id={id} {...handlers} />;
}

type EditParametersProps = CloseProps & { id: number };

function EditParameters({ id, onClose, onDirtyChange }: EditParametersProps) {
  const network = useAdminNetwork();
  const stored = useQuery(subscriberQuery(network, id));
  const saving = useMutation(saveSubscriber(network));
  if (stored.isPending) return <ParametersSkeleton />;
  if (!stored.data) return <ErrorPanel onRetry={stored.refetch} retrying={stored.isFetching} />;
  const handleSubmit = (values: ParametersValues, { onError }: { onError: (error: Error) => void }) =>
    saving.mutate(
      { ...values, id },
      {
        onError,
        onSuccess: () => {
          showSuccess('Site sucessfully updated.');
          onClose();
        },
      },
    );
  return (
    <ParametersForm
      initial={toValues(stored.data)}
      onReload={async () => toValues(await reloadSubscriber(network, id))}
      fixed
      action="Update"
      busy={saving.isPending}
      error={saving.error}
      onDirtyChange={onDirtyChange}
      onSubmit={handleSubmit}
    />
  );
}
