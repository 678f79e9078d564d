import '../../patterns/form/fields.css';
import { Checkbox, Skeleton, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import {
  ApiError,
  conflictOf,
  SubscriberDraft,
  type SubscriberMetadata,
  signatureLabels,
  siteLabels,
} from '@opensocial/contract';
import { useEffect, useState } from 'react';
import { isShownByForm } from '../../api/sign-in/fresh-sign-in.ts';
import { errorText } from '../../api/transport/error-text.ts';
import { useConflict } from '../../patterns/conflict/use-conflict.tsx';
import { Fold } from '../../patterns/fold/fold.tsx';
import { DialogButtons } from '../../patterns/form/dialog-buttons.tsx';
import classes from '../../patterns/form/form.module.css';
import { FormError } from '../../patterns/form/form-error.tsx';
import { FormWarning } from '../../patterns/form/form-warning.tsx';
import { NumberField } from '../../patterns/form/number-field.tsx';
import { schemaFaults } from '../../patterns/form/schema-faults.ts';
import { SegmentedField } from '../../patterns/form/segmented-field.tsx';
import { RequestedAttributes } from './attributes/requested-attributes.tsx';
import { IdentityProviderFacts } from './identity-provider-facts.tsx';
import { hasLogoutDetails, LogoutFields } from './logout-fields.tsx';
import { MetadataImport, parametersFrom } from './metadata-import.tsx';
import type { NewParameters } from './new-parameters.ts';

/** A registered site has a version. */
export type ParametersValues = NewParameters & { version?: number };

/**
 * `lacksLogout`: the site does not support single logout, so it has no SLS URL. `acsLines`: further ACS URLs as text, each on a line after
 * its index. `requested`: the attributes that the metadata asks for, and `releasesRequested` whether a new site gets them. `wantsAssertion`:
 * whether the metadata asks for signed assertions; undefined if no metadata was read.
 */
type FormValues = ParametersValues & {
  lacksLogout: boolean;
  acsLines: string;
  requested: SubscriberMetadata['release'];
  releasesRequested: boolean;
  wantsAssertion: boolean | undefined;
};

type ParametersFormProps = {
  initial: ParametersValues;
  /** Whether identity and FQDN are read-only. */
  fixed?: boolean;
  /** Whether the parameters of a new site come from its metadata or a recipe, so that the import is not offered again. */
  isPrefilled?: boolean;
  /** Whether the form begins with a site that does not support single logout. */
  beginsWithoutLogout?: boolean;
  action: string;
  busy: boolean;
  error: Error | null;
  onSubmit: (values: ParametersValues, options: { onError: (error: Error) => void }) => void;
  /** Loads the parameters again after another person has changed them. */
  onReload?: () => Promise<ParametersValues>;
  /** Called with whether the form has unsaved input. */
  onDirtyChange: (isDirty: boolean) => void;
};

/** The field of an address that the server cannot send messages to or read from. */
const refusedField = (error: Error, { sls_binding }: SubscriberDraft, fixed: boolean): string | undefined => {
  if (!(error instanceof ApiError)) return undefined;
  if (error.code === 'back_channel_refused') return sls_binding === 'soap' ? 'sls' : 'sls_soap';
  if (error.code === 'update_url_refused') return 'update_url';
  return fixed && error.code === 'metadata_url_refused' ? 'metadata_url' : undefined;
};

const required = ['identity', 'acs', 'sls', 'domain'] as const;
const checkSchema = schemaFaults(SubscriberDraft);

/** §5: identity, acs, sls and domain are required, except the SLS URL of a site without single logout. */
const faultsOf = ({
  version: _version,
  requested: _requested,
  releasesRequested: _releases,
  wantsAssertion: _wantsAssertion,
  lacksLogout,
  acsLines,
  ...values
}: FormValues): Record<string, string> => {
  const missing = required.filter((field) => values[field].trim() === '' && !(field === 'sls' && lacksLogout));
  const lacksKey = values.encrypts === 'Yes' && !values.encryption_certificate?.trim();
  return {
    ...checkSchema(values),
    ...Object.fromEntries(missing.map((field) => [field, 'This filed is required'])),
    ...(!isAcsText(acsLines) && { acsLines: 'Enter an index and an https address on each line.' }),
    ...(lacksKey && { encryption_certificate: 'Paste the certificate that assertions are encrypted for.' }),
  };
};

/** Without a certificate, signatures cannot be required. The checkbox is off then, whatever it was before. */
const toParameters = (edited: FormValues): ParametersValues => {
  const { lacksLogout, acsLines, requested, releasesRequested, wantsAssertion: _wantsAssertion, ...values } = edited;
  return {
    ...values,
    ...(requested && releasesRequested && { release: requested }),
    further_acs: parseAcsLines(acsLines),
    ...(lacksLogout && { sls: '', sls_binding: 'auto' as const, sls_response: '', sls_soap: '' }),
    ...(!values.certificate?.trim() && { signed_requests: 'No' }),
  };
};

const toFormValues = ({ release, ...values }: ParametersValues): FormValues => ({
  ...values,
  // A blank form has no ACS URL either.
  lacksLogout: values.acs !== '' && values.sls === '',
  acsLines: formatAcsLines(values.further_acs),
  requested: release ?? null,
  releasesRequested: true,
  wantsAssertion: undefined,
});

const acsLine = /^(\d{1,5})\s+(https:\/\/\S+)$/;

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

const isAcsText = (text: string): boolean => linesOf(text).every((line) => acsLine.test(line));

const parseAcsLines = (text: string) =>
  linesOf(text).map((line) => {
    const [, index = '', url = ''] = acsLine.exec(line) ?? [];
    return { index: Number(index), url };
  });

const formatAcsLines = (endpoints: ParametersValues['further_acs'] = []): string =>
  endpoints.map(({ index, url }) => `${index} ${url}`).join('\n');

const useParametersForm = (initial: FormValues) => useForm<FormValues>({ initialValues: initial, validate: faultsOf });

export function ParametersForm(props: ParametersFormProps) {
  const { initial, fixed = false, action, busy, error, onSubmit, onDirtyChange } = props;
  const stored = toFormValues(initial);
  const form = useParametersForm({ ...stored, lacksLogout: stored.lacksLogout || props.beginsWithoutLogout === true });
  const [hasSource, setHasSource] = useState(false);
  const isDirty = form.isDirty() || hasSource;
  useEffect(() => onDirtyChange(isDirty), [isDirty, onDirtyChange]);
  const handleImport = (metadata: SubscriberMetadata, metadata_url: string) => {
    form.setValues({
      ...toFormValues(parametersFrom(metadata, metadata_url)),
      update_url: form.values.update_url ?? '',
      lacksLogout: metadata.sls === '',
      wantsAssertion: metadata.wants_assertions_signed,
    });
    form.clearErrors();
  };
  const { handleConflict, conflictDialog } = useConflict({
    form,
    load: async () => toFormValues((await props.onReload?.()) ?? initial),
    save: (values) => handleSubmit(values),
    busy,
    labels: siteLabels,
  });
  const handleError = (failure: Error) => {
    const field = refusedField(failure, form.values, fixed);
    if (field !== undefined) form.setFieldError(field, failure.message);
    else handleConflict(failure);
  };
  const handleSubmit = (values: FormValues) => {
    if (!busy) onSubmit(toParameters(values), { onError: handleError });
  };
  return (
    <form className={classes.form} noValidate onSubmit={form.onSubmit(handleSubmit)}>
      {!fixed && !props.isPrefilled && <MetadataImport onRead={handleImport} onTyped={setHasSource} />}
      {form.values.requested && (
        <RequestedAttributes
          release={form.values.requested}
          checked={form.values.releasesRequested}
          busy={busy}
          onChange={(isReleased) => form.setFieldValue('releasesRequested', isReleased)}
        />
      )}
      <AddressFields form={form} busy={busy} fixed={fixed} opened={hasLogoutDetails(initial)} />
      <EndpointFields form={form} busy={busy} opened={Boolean(initial.further_acs?.length)} />
      <CertificateFields form={form} busy={busy} opened={initial.certificate !== ''} />
      <ProtectionFields form={form} busy={busy} opened={isProtectionChanged(initial)} />
      <IdentityProviderFacts />
      <FormError>
        {error &&
          !isShownByForm(error) &&
          !conflictOf(error) &&
          !refusedField(error, form.values, fixed) &&
          errorText(error)}
      </FormError>
      <DialogButtons action={action} busy={busy} />
      {conflictDialog}
    </form>
  );
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? '';

type FieldsProps = { form: ReturnType<typeof useParametersForm>; busy: boolean };

function AddressFields({ form, busy, fixed, opened }: FieldsProps & { fixed: boolean; opened: boolean }) {
  const text = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false, readOnly: busy } as const;
  /** The FQDN of a new site follows the ACS URL until it is changed. */
  const handleAcs = (acs: string) => {
    const isFollowing = !fixed && form.values.domain === hostOf(form.values.acs);
    form.setFieldValue('acs', acs);
    if (isFollowing) form.setFieldValue('domain', hostOf(acs));
  };
  return (
    <>
      <TextInput
        {...form.getInputProps('identity')}
        {...text}
        label={siteLabels.identity}
        description="Entity ID of the application, exactly as it sends it."
        readOnly={busy || fixed}
        data-autofocus={!fixed || undefined}
        withAsterisk
      />
      <TextInput
        {...form.getInputProps('acs')}
        {...text}
        onChange={(event) => handleAcs(event.currentTarget.value)}
        label={siteLabels.acs}
        description="Where the responses to sign-ins are sent."
        type="url"
        data-autofocus={fixed || undefined}
        withAsterisk
      />
      <TextInput
        {...form.getInputProps('sls')}
        {...text}
        label={siteLabels.sls}
        description="Where sign-outs are sent."
        type="url"
        disabled={form.values.lacksLogout}
        withAsterisk={!form.values.lacksLogout}
      />
      <Checkbox
        {...form.getInputProps('lacksLogout', { type: 'checkbox' })}
        label="This site does not support single logout"
        description="People who sign out here stay signed in at the site, and are told so."
        disabled={busy}
      />
      {!form.values.lacksLogout && <LogoutFields form={form} busy={busy} opened={opened} />}
      <TextInput
        {...form.getInputProps('domain')}
        {...text}
        label={siteLabels.domain}
        description="Host name of the application, such as reports.example.org. Lists show it below the name."
        readOnly={busy || fixed}
        withAsterisk
      />
      <TextInput
        {...form.getInputProps('update_url')}
        {...text}
        label={siteLabels.update_url}
        description="Optional. Receives a signed message when the site is opened or closed."
        type="url"
      />
      {fixed && (
        <TextInput
          {...form.getInputProps('metadata_url')}
          {...text}
          label={siteLabels.metadata_url}
          description="Optional. Read again every day. You get an email if something changes."
          type="url"
        />
      )}
    </>
  );
}

function EndpointFields({ form, busy, opened }: FieldsProps & { opened: boolean }) {
  return (
    <Fold title="Further ACS URLs" opened={opened}>
      <NumberField
        label={siteLabels.acs_index}
        description="Optional. Needed if requests of the site name an address by its index."
        min={0}
        max={65_535}
        readOnly={busy}
        error={form.errors['acs_index']}
        value={form.values.acs_index ?? ''}
        onChange={({ currentTarget: { value } }) =>
          form.setFieldValue('acs_index', value === '' ? null : Number(value))
        }
      />
      <Textarea
        {...form.getInputProps('acsLines')}
        label={siteLabels.further_acs}
        description="Optional. One per line: its index and its address. Responses are sent there if a request of the site asks for it."
        placeholder="1 https://reports.example.org/acs2"
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        readOnly={busy}
      />
    </Fold>
  );
}

function CertificateFields({ form, busy, opened }: FieldsProps & { opened: boolean }) {
  return (
    <Fold title="Signing certificate" opened={opened}>
      <Textarea
        {...form.getInputProps('certificate')}
        label={siteLabels.certificate}
        description="Optional. With a certificate, messages of the site must be signed."
        autosize
        minRows={3}
        maxRows={8}
        spellCheck={false}
        readOnly={busy}
      />
      <Checkbox
        label={siteLabels.signed_requests}
        disabled={busy || !form.values.certificate?.trim()}
        checked={form.values.signed_requests !== 'No' && Boolean(form.values.certificate?.trim())}
        onChange={(event) => form.setFieldValue('signed_requests', event.currentTarget.checked ? 'Yes' : 'No')}
      />
    </Fold>
  );
}

const isProtectionChanged = ({ signs = 'both', encrypts = 'No' }: ParametersValues): boolean =>
  signs !== 'both' || encrypts === 'Yes';

const signedElements = [
  { value: 'both', label: signatureLabels.both },
  { value: 'assertion', label: signatureLabels.assertion },
  { value: 'response', label: signatureLabels.response },
];

/** Metadata can ask for signed assertions, and cannot ask for signed responses. */
const signatureHint = ({ wantsAssertion }: FormValues): string => {
  if (wantsAssertion === undefined)
    return 'What we sign. Both suits nearly every site. A test sign-in shows whether the assertion is enough.';
  return wantsAssertion
    ? 'What we sign. The metadata of the site asks for a signed assertion, but cannot say whether the site needs a signed response too. A test sign-in shows whether the assertion is enough.'
    : 'What we sign. The metadata of the site does not say what it needs, so Both is the safe choice.';
};

function ProtectionFields({ form, busy, opened }: FieldsProps & { opened: boolean }) {
  const doesEncrypt = form.values.encrypts === 'Yes';
  return (
    <Fold title="Protection of responses" opened={opened}>
      <SegmentedField
        {...form.getInputProps('signs')}
        label={siteLabels.signs}
        data={signedElements}
        disabled={busy}
        hint={signatureHint(form.values)}
      />
      {form.values.wantsAssertion && form.values.signs === 'response' && (
        <FormWarning>
          The metadata of the site asks for a signed assertion, so the site would refuse sign-ins.
        </FormWarning>
      )}
      <Checkbox
        label={siteLabels.encrypts}
        description="Only the site can read them, not the browser that delivers them."
        disabled={busy}
        checked={doesEncrypt}
        onChange={(event) => form.setFieldValue('encrypts', event.currentTarget.checked ? 'Yes' : 'No')}
      />
      {doesEncrypt && (
        <Textarea
          {...form.getInputProps('encryption_certificate')}
          label={siteLabels.encryption_certificate}
          description="The certificate of the site that its metadata marks for encryption. It needs an RSA key."
          autosize
          minRows={3}
          maxRows={8}
          spellCheck={false}
          readOnly={busy}
          withAsterisk
        />
      )}
    </Fold>
  );
}

export function ParametersSkeleton() {
  return (
    <div className={classes.form} aria-busy="true" aria-label="Loading">
      {['identity', 'acs', 'sls', 'domain', 'update_url'].map((field) => (
        <Skeleton key={field} height={66} radius="md" />
      ))}
    </div>
  );
}
