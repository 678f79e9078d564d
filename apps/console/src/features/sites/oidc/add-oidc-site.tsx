import { Button } from '@mantine/core';
import type { OidcClientWithSecret, UnknownApplication } from '@opensocial/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useAdminNetwork } from '../../../api/session/admin-network.ts';
import formClasses from '../../../patterns/form/form.module.css';
import { requestedValues } from '../diagnosis/requested-values.ts';
import classes from './add-oidc-site.module.css';
import { ApplicationGuide } from './application-guide.tsx';
import { ClientFacts } from './client-facts.tsx';
import { NewSecret } from './new-secret.tsx';
import { OidcForm } from './oidc-form.tsx';
import { blankValues, type OidcValues, toDraft } from './oidc-values.ts';
import { addOidcSite, oidcClientQuery } from './sites.oidc.api.ts';

type AddOidcSiteProps = {
  /** The application that the site is for, if it has sent a request already. */
  application?: UnknownApplication | undefined;
  onClose: () => void;
  onDirtyChange: (isDirty: boolean) => void;
  /** Called when the site exists, so that its protocol can no longer be chosen. */
  onAdded: () => void;
};

/** §2.6: the form of a new site that uses OpenID Connect, and then what the application must know. */
export function AddOidcSite({ application, onClose, onDirtyChange, onAdded }: AddOidcSiteProps) {
  const network = useAdminNetwork();
  const [, setParams] = useSearchParams();
  const adding = useMutation(addOidcSite(network));
  const [added, setAdded] = useState<OidcClientWithSecret>();
  if (added) return <AddedSite added={added} onClose={onClose} />;
  return (
    <OidcForm
      initial={valuesOf(application)}
      action="Add New Site"
      busy={adding.isPending}
      error={adding.error}
      onDirtyChange={onDirtyChange}
      onSubmit={(values, { onError }) =>
        adding.mutate(toDraft(values), {
          onError,
          onSuccess: (client) => {
            setAdded(client);
            onDirtyChange(false);
            onAdded();
            // §4: the list is loaded again with the domain as the search text.
            setParams({ search: client.domain });
          },
        })
      }
    />
  );
}

/** The address of a request that an application has sent. The server chooses the client id. */
const valuesOf = (application: UnknownApplication | undefined): OidcValues => {
  if (application?.protocol !== 'oidc') return blankValues;
  const { address, domain } = requestedValues(application);
  return { ...blankValues, redirect_uris: address, domain };
};

type AddedSiteProps = { added: OidcClientWithSecret; onClose: () => void };

function AddedSite({ added, onClose }: AddedSiteProps) {
  const { data: client = added } = useQuery(oidcClientQuery(added.id));
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className={formClasses.form}>
      <h3 ref={heading} tabIndex={-1} className={`${formClasses.heading} ${classes.heading}`}>
        {added.domain} was added
      </h3>
      <p className={formClasses.hint}>Enter these values in the application. People can then sign in to it.</p>
      <ClientFacts client={client} />
      {added.secret && <NewSecret secret={added.secret} />}
      <ApplicationGuide client={client} secret={added.secret} />
      <div className={formClasses.buttons}>
        <Button onClick={onClose}>Done</Button>
      </div>
    </div>
  );
}
