import '../../../patterns/form/fields.css';
import { Checkbox, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ApiError, authenticationLabels, conflictOf, type OidcAuthentication, oidcLabels } from '@opensocial/contract';
import { useEffect } from 'react';
import { isShownByForm } from '../../../api/sign-in/fresh-sign-in.ts';
import { errorText } from '../../../api/transport/error-text.ts';
import { useConflict } from '../../../patterns/conflict/use-conflict.tsx';
import { Fold } from '../../../patterns/fold/fold.tsx';
import { CardChoice } from '../../../patterns/form/card-choice.tsx';
import { DialogButtons } from '../../../patterns/form/dialog-buttons.tsx';
import classes from '../../../patterns/form/form.module.css';
import { FormError } from '../../../patterns/form/form-error.tsx';
import { FormWarning } from '../../../patterns/form/form-warning.tsx';
import { SegmentedField } from '../../../patterns/form/segmented-field.tsx';
import { differingFields, faultsOf, type OidcValues } from './oidc-values.ts';

type OidcFormProps = {
  initial: OidcValues;
  /** Whether the site exists, so that its FQDN is read-only. */
  fixed?: boolean;
  action: string;
  busy: boolean;
  error: Error | null;
  onSubmit: (values: OidcValues, options: { onError: (error: Error) => void }) => void;
  /** Loads the parameters again after another person has changed them. */
  onReload?: () => Promise<OidcValues>;
  /** Called with whether the form has unsaved input. */
  onDirtyChange: (isDirty: boolean) => void;
};

/** The field of an error of the server, if it has one. */
const refusedField = (error: Error): string | undefined => {
  if (!(error instanceof ApiError)) return undefined;
  if (error.code === 'back_channel_refused') return 'backchannel_logout_uri';
  if (error.code === 'jwks_uri_refused') return 'jwks_uri';
  return error.code === 'jwks_refused' ? 'jwks' : undefined;
};

const useOidcForm = (initial: OidcValues) => useForm<OidcValues>({ initialValues: initial, validate: faultsOf });

/** §2.6, the parameters of a site that uses OpenID Connect. */
export function OidcForm(props: OidcFormProps) {
  const { initial, fixed = false, action, busy, error, onSubmit, onDirtyChange } = props;
  const form = useOidcForm(initial);
  const isDirty = form.isDirty();
  useEffect(() => onDirtyChange(isDirty), [isDirty, onDirtyChange]);
  const { handleConflict, conflictDialog } = useConflict({
    form,
    load: async () => (await props.onReload?.()) ?? initial,
    save: (values) => handleSubmit(values),
    busy,
    labels: oidcLabels,
    changedFields: (current) => differingFields(form.getInitialValues(), current),
  });
  const handleError = (failure: Error) => {
    const field = refusedField(failure);
    if (field !== undefined) form.setFieldError(field, failure.message);
    else handleConflict(failure);
  };
  const handleSubmit = (values: OidcValues) => {
    if (!busy) onSubmit(values, { onError: handleError });
  };
  return (
    <form className={classes.form} noValidate onSubmit={form.onSubmit(handleSubmit)}>
      <AddressFields form={form} busy={busy} fixed={fixed} />
      <AuthenticationFields form={form} busy={busy} initial={initial} fixed={fixed} />
      <AdvancedFields form={form} busy={busy} opened={fixed && hasAdvanced(initial)} />
      <FormError>
        {error && !isShownByForm(error) && !conflictOf(error) && !refusedField(error) && errorText(error)}
      </FormError>
      <DialogButtons action={action} busy={busy} />
      {conflictDialog}
    </form>
  );
}

type FieldsProps = { form: ReturnType<typeof useOidcForm>; busy: boolean };

const typed = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

function AddressFields({ form, busy, fixed }: FieldsProps & { fixed: boolean }) {
  const lines = { ...typed, autosize: true, minRows: 2, maxRows: 8, readOnly: busy } as const;
  return (
    <>
      <TextInput
        {...form.getInputProps('domain')}
        {...typed}
        label="FQDN"
        description="Host name of the application, such as grafana.example.org. Lists show it below the name."
        readOnly={busy || fixed}
        data-autofocus={!fixed || undefined}
        withAsterisk
      />
      <Textarea
        {...form.getInputProps('redirect_uris')}
        {...lines}
        label={oidcLabels.redirect_uris}
        description="One per line. People are sent there after they have signed in. The application names one of them exactly."
        placeholder="https://grafana.example.org/login/generic_oauth"
        data-autofocus={fixed || undefined}
        withAsterisk
      />
      <Textarea
        {...form.getInputProps('post_logout_uris')}
        {...lines}
        label={oidcLabels.post_logout_uris}
        description="Optional, one per line. Where the application may send people after a sign-out."
      />
    </>
  );
}

const authentications: { value: OidcAuthentication; label: string; description: string }[] = [
  {
    value: 'secret',
    label: authenticationLabels.secret,
    description: 'For applications on a server. This is what nearly all of them use.',
  },
  {
    value: 'private_key_jwt',
    label: authenticationLabels.private_key_jwt,
    description: 'The application signs with its own key, so that nothing secret leaves it.',
  },
  {
    value: 'none',
    label: authenticationLabels.none,
    description:
      'For programs in browsers, on phones and on command lines, which cannot keep a secret. They need PKCE.',
  },
];

type AuthenticationFieldsProps = FieldsProps & { initial: OidcValues; fixed: boolean };

function AuthenticationFields({ form, busy, initial, fixed }: AuthenticationFieldsProps) {
  const { authentication } = form.values;
  const losesSecrets = fixed && initial.authentication === 'secret' && authentication !== 'secret';
  return (
    <>
      <CardChoice
        label={oidcLabels.authentication}
        options={authentications}
        value={authentication}
        disabled={busy}
        onChange={(value) => form.setFieldValue('authentication', value)}
      />
      {losesSecrets && <FormWarning>The secrets of this site are removed when you save.</FormWarning>}
      {authentication === 'private_key_jwt' && (
        <>
          <TextInput
            {...form.getInputProps('jwks_uri')}
            {...typed}
            label={oidcLabels.jwks_uri}
            description="Where the application publishes its public keys (JWKS). Otherwise paste them below."
            type="url"
            readOnly={busy}
          />
          <Textarea
            {...form.getInputProps('jwks')}
            {...typed}
            label={oidcLabels.jwks}
            description="The public keys as JSON (JWKS), if they have no address."
            autosize
            minRows={3}
            maxRows={10}
            readOnly={busy}
          />
        </>
      )}
    </>
  );
}

const hasAdvanced = ({
  algorithm,
  requires_pkce,
  allows_offline,
  backchannel_logout_uri,
  frontchannel_logout_uri,
}: OidcValues): boolean =>
  algorithm !== 'RS256' ||
  requires_pkce ||
  allows_offline ||
  backchannel_logout_uri !== '' ||
  frontchannel_logout_uri !== '';

const algorithms = [
  { value: 'RS256', label: 'RS256' },
  { value: 'ES256', label: 'ES256' },
];

function AdvancedFields({ form, busy, opened }: FieldsProps & { opened: boolean }) {
  const isPublic = form.values.authentication === 'none';
  const address = { ...typed, type: 'url', readOnly: busy } as const;
  return (
    <Fold title="Advanced" opened={opened}>
      <Checkbox
        label={oidcLabels.requires_pkce}
        description={
          isPublic
            ? 'A public client always needs it.'
            : 'Protects codes on their way. Switch it on if the application supports it.'
        }
        disabled={busy || isPublic}
        checked={form.values.requires_pkce || isPublic}
        onChange={(event) => form.setFieldValue('requires_pkce', event.currentTarget.checked)}
      />
      <Checkbox
        {...form.getInputProps('allows_offline', { type: 'checkbox' })}
        label={oidcLabels.allows_offline}
        description="The application can work for a person who has signed out here (offline access)."
        disabled={busy}
      />
      <SegmentedField
        {...form.getInputProps('algorithm')}
        label={oidcLabels.algorithm}
        data={algorithms}
        disabled={busy}
        hint="RS256 is understood everywhere. ES256 is shorter and faster."
      />
      <TextInput
        {...form.getInputProps('backchannel_logout_uri')}
        {...address}
        label={oidcLabels.backchannel_logout_uri}
        description="Optional. Our server tells the application there that a session has ended."
      />
      <TextInput
        {...form.getInputProps('frontchannel_logout_uri')}
        {...address}
        label={oidcLabels.frontchannel_logout_uri}
        description="Optional. A page of the application that ends its session when the browser loads it."
      />
    </Fold>
  );
}
