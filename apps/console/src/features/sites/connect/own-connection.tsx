import { Button } from '@mantine/core';
import type { SubscriberMetadata } from '@opensocial/contract';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { toConnect } from '../../../api/links/panel-links.ts';
import { useAdminNetwork } from '../../../api/session/admin-network.ts';
import { errorText } from '../../../api/transport/error-text.ts';
import { BusyButton } from '../../../patterns/busy-button/busy-button.tsx';
import { CloseDialogContext } from '../../../patterns/dialog/cancel-button.tsx';
import { CardChoice } from '../../../patterns/form/card-choice.tsx';
import formClasses from '../../../patterns/form/form.module.css';
import { FormError } from '../../../patterns/form/form-error.tsx';
import { UnsavedGuard } from '../../../patterns/side-panel/unsaved-guard.tsx';
import { MetadataFields, parametersFrom } from '../metadata-import.tsx';
import { blankParameters, type NewParameters } from '../new-parameters.ts';
import { OidcForm } from '../oidc/oidc-form.tsx';
import { blankValues, type OidcValues } from '../oidc/oidc-values.ts';
import { ParametersForm } from '../parameters-form.tsx';
import { useConnect } from './connect-context.ts';
import { SamlFacts } from './registered-facts.tsx';
import { samlFaultsOf, toOidcDraft, toSamlDraft } from './registration.ts';
import { useRegistration } from './use-registration.ts';

type SamlFormProps = {
  /** Parameters that were read from metadata, or that follow from a recipe. */
  initial?: NewParameters;
  /** The host of the application, if nothing else is known of it. */
  host?: string;
  onBack: () => void;
};

/** The parameters of a site that uses SAML, before it is registered. */
export function SamlForm({ initial, host = '', onBack }: SamlFormProps) {
  const { draft } = useConnect();
  const { isBusy, error, registerSaml } = useRegistration();
  const [isDirty, setIsDirty] = useState(false);
  return (
    <CloseDialogContext value={onBack}>
      <ParametersForm
        initial={initial ?? { ...blankParameters, domain: host }}
        isPrefilled
        // An application that is connected by hand rarely shows an address for sign-outs.
        beginsWithoutLogout={initial === undefined}
        action="Add application"
        busy={isBusy}
        error={error}
        onDirtyChange={setIsDirty}
        onSubmit={(values, handlers) => registerSaml(toSamlDraft(values, draft), handlers)}
      />
      <UnsavedGuard active={isDirty} />
    </CloseDialogContext>
  );
}

type OidcConnectionProps = {
  /** Parameters that follow from a recipe, and the address of the application. */
  initial?: OidcValues;
  base?: string;
  onBack: () => void;
};

/** The parameters of a site that uses OpenID Connect, before it is registered. */
export function OidcConnection({ initial = blankValues, base, onBack }: OidcConnectionProps) {
  const { draft } = useConnect();
  const { isBusy, error, registerOidc } = useRegistration();
  const [isDirty, setIsDirty] = useState(false);
  return (
    <CloseDialogContext value={onBack}>
      <OidcForm
        initial={initial}
        action="Add application"
        busy={isBusy}
        error={error}
        onDirtyChange={setIsDirty}
        onSubmit={(values, handlers) => registerOidc(toOidcDraft(values, draft, base), handlers)}
      />
      <UnsavedGuard active={isDirty} />
    </CloseDialogContext>
  );
}

const ways = [
  {
    value: 'metadata',
    label: 'From its metadata',
    description: 'The application gives you a file or an address. Everything is filled in, so this is the safest way.',
  },
  {
    value: 'hand',
    label: 'By hand',
    description:
      'The application only shows its entity ID and its ACS URL, also called reply URL or single sign-on URL.',
  },
] as const;

type Way = (typeof ways)[number]['value'];

/** The host of an address that could not be read, which is probably that of the application. */
const hostOf = (address = ''): string => (URL.canParse(address) ? new URL(address).hostname : '');

/** The button that led to the form is gone, so its first field gets the focus. */
const focusFirstField = (form: HTMLDivElement | null): void => form?.querySelector('input')?.focus();

/** An application that uses SAML and has no recipe. */
export function SamlConnection() {
  const network = useAdminNetwork();
  const navigate = useNavigate();
  const [way, setWay] = useState<Way>('metadata');
  const [read, setRead] = useState<NewParameters>();
  const [isChanging, setIsChanging] = useState(false);
  const [unread, setUnread] = useState<string>();
  if (read && isChanging) return <SamlForm initial={read} onBack={() => setIsChanging(false)} />;
  return (
    <div className={formClasses.form}>
      <CardChoice label="How you enter its details" options={ways} value={way} onChange={setWay} />
      {way === 'hand' ? (
        <div ref={unread === undefined ? null : focusFirstField}>
          <SamlForm host={hostOf(unread)} onBack={() => void navigate(toConnect(network.name))} />
        </div>
      ) : (
        <MetadataConnection
          read={read}
          onRead={setRead}
          onChange={() => setIsChanging(true)}
          onByHand={(address) => {
            setUnread(address);
            setWay('hand');
          }}
        />
      )}
    </div>
  );
}

type MetadataConnectionProps = {
  read: NewParameters | undefined;
  onRead: (site: NewParameters) => void;
  /** Called to change what was read. */
  onChange: () => void;
  /** Called to enter the details without the metadata, with its address, which could not be read. */
  onByHand: (address: string) => void;
};

const ignore = () => {};

function MetadataConnection({ read, onRead, onChange, onByHand }: MetadataConnectionProps) {
  const network = useAdminNetwork();
  const { draft } = useConnect();
  const { isBusy, error, registerSaml } = useRegistration();
  const handleRead = (metadata: SubscriberMetadata, address: string) => onRead(parametersFrom(metadata, address));
  const [fault] = read ? Object.values(samlFaultsOf(read)) : [];
  return (
    <div className={formClasses.form}>
      <MetadataFields onRead={handleRead} onTyped={ignore} onByHand={onByHand} />
      {read && <SamlFacts site={read} />}
      <FormError>
        {fault
          ? `The metadata is not complete: ${fault} Choose Change details to correct it.`
          : error && errorText(error)}
      </FormError>
      <div className={formClasses.buttons}>
        <Button variant="default" component={Link} to={toConnect(network.name)}>
          Back
        </Button>
        {read && (
          <>
            <Button variant="default" onClick={onChange}>
              Change details
            </Button>
            <BusyButton
              busy={isBusy}
              busyText="please wait ...."
              disabled={fault !== undefined}
              onClick={() => registerSaml(toSamlDraft(read, draft))}
            >
              Add application
            </BusyButton>
          </>
        )}
      </div>
    </div>
  );
}
