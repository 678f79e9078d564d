import { ActionIcon } from '@mantine/core';
import type { OidcClient, OidcSecret } from '@opensocial/contract';
import { IconKey, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { BusyButton } from '../../../patterns/busy-button/busy-button.tsx';
import { ConfirmDialog } from '../../../patterns/confirm/confirm-dialog.tsx';
import formClasses from '../../../patterns/form/form.module.css';
import { fullTime } from '../../../patterns/format/format.ts';
import { showErrorField } from '../../../patterns/toast/show-error-field.tsx';
import { showSuccess } from '../../../patterns/toast/show-success.tsx';
import { siteAnchors } from '../sites.links.ts';
import { useAnchor } from '../sso/use-anchor.ts';
import classes from './client-secrets.module.css';
import { NewSecret } from './new-secret.tsx';
import { deleteOidcSecret, makeOidcSecret } from './sites.oidc.api.ts';

const maximumSecrets = 2;

type ClientSecretsProps = {
  client: OidcClient;
  /** The secret that was just made; empty if there is none. */
  secret: string;
  onMade: (secret: string) => void;
};

/** The secrets of a client. Two may be valid, so that one can replace the other. */
export function ClientSecrets({ client: { id, secrets }, secret, onMade }: ClientSecretsProps) {
  const making = useMutation(makeOidcSecret(id));
  const [removed, setRemoved] = useState<OidcSecret>();
  const heading = useRef<HTMLHeadingElement>(null);
  useAnchor(heading, siteAnchors.secrets);
  const isFull = secrets.length >= maximumSecrets;
  const handleMake = () =>
    making.mutate(undefined, { onError: showErrorField, onSuccess: (made) => onMade(made.secret) });
  return (
    <section className={formClasses.form} aria-labelledby={`secrets-${id}`}>
      <h3 id={`secrets-${id}`} className={formClasses.heading} ref={heading} tabIndex={-1}>
        Secrets
      </h3>
      <p className={formClasses.hint}>
        To replace a secret without an interruption, create another one, enter it in the application, then remove the
        first.
      </p>
      {secret && <NewSecret secret={secret} />}
      {secrets.length === 0 ? (
        <p className={formClasses.hint}>This site has no secret, so the application cannot sign people in yet.</p>
      ) : (
        <ul className={classes.list} aria-label="Secrets of this site">
          {secrets.map((each) => (
            <li key={each.id} className={classes.secret}>
              <IconKey size={18} stroke={1.8} aria-hidden="true" />
              <span className={classes.words}>
                <span className={classes.name}>ends with {each.hint}</span>
                <span className={classes.detail}>created {fullTime(each.created_at)}</span>
              </span>
              <ActionIcon
                variant="subtle"
                color="gray"
                size={36}
                aria-label={`Remove the secret that ends with ${each.hint}`}
                onClick={() => setRemoved(each)}
              >
                <IconTrash size={18} stroke={1.8} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      <div className={formClasses.row}>
        <BusyButton
          variant="default"
          busy={making.isPending}
          busyText="please wait ...."
          disabled={isFull}
          onClick={handleMake}
        >
          {secrets.length === 0 ? 'Create a secret' : 'Create another secret'}
        </BusyButton>
        {isFull && <span className={formClasses.hint}>A site can have at most two secrets.</span>}
      </div>
      {removed && (
        <RemoveSecretDialog
          siteId={id}
          secret={removed}
          isLast={secrets.length === 1}
          onClose={() => setRemoved(undefined)}
          onRemoved={() => {
            if (secret.endsWith(removed.hint)) onMade('');
            // The dialog returns the focus to the button that opened it, which disappears with the secret.
            requestAnimationFrame(() => heading.current?.focus());
          }}
        />
      )}
    </section>
  );
}

type RemoveSecretDialogProps = {
  siteId: number;
  secret: OidcSecret;
  isLast: boolean;
  onClose: () => void;
  onRemoved: () => void;
};

function RemoveSecretDialog({ siteId, secret, isLast, onClose, onRemoved }: RemoveSecretDialogProps) {
  const removing = useMutation(deleteOidcSecret(siteId));
  const handleConfirm = () =>
    removing.mutate(secret.id, {
      onError: (error) => {
        onClose();
        showErrorField(error);
      },
      onSuccess: () => {
        onClose();
        onRemoved();
        showSuccess('The secret was removed.');
      },
    });
  return (
    <ConfirmDialog
      title="Remove this secret?"
      text={
        isLast
          ? `The secret that ends with ${secret.hint} is the only one. The application can sign nobody in until it has another one.`
          : `The application can no longer use the secret that ends with ${secret.hint}.`
      }
      action="Remove secret"
      danger
      busy={removing.isPending}
      onConfirm={handleConfirm}
      onCancel={onClose}
    />
  );
}
