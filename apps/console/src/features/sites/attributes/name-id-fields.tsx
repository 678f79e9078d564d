import { NativeSelect } from '@mantine/core';
import { type NameIdFormat, type NameIdSource, nameIdFormatLabels, nameIdSourceLabels } from '@opensocial/contract';
import classes from '../../../patterns/form/form.module.css';
import type { AttributesForm } from './use-attributes-form.ts';

const formats: Readonly<Record<NameIdFormat, { label: string; hint: string }>> = {
  requested: {
    label: nameIdFormatLabels.requested,
    hint: 'The email address, unless the application asks for a persistent or transient NameID. Suits most applications.',
  },
  emailAddress: { label: nameIdFormatLabels.emailAddress, hint: 'Requests for another format are refused.' },
  persistent: {
    label: nameIdFormatLabels.persistent,
    hint: 'An opaque name that stays the same at this site and differs at every other one. Requests for another format are refused.',
  },
  transient: {
    label: nameIdFormatLabels.transient,
    hint: 'A new random name at each sign-in, so that the application does not recognise the person. Requests for another format are refused.',
  },
  unspecified: { label: nameIdFormatLabels.unspecified, hint: 'Requests for another format are refused.' },
};

const sources: Readonly<Record<NameIdSource, { label: string; hint: string }>> = {
  email: {
    label: nameIdSourceLabels.email,
    hint: 'Readable. If an account is deleted, its address can belong to somebody else later.',
  },
  uid: { label: nameIdSourceLabels.uid, hint: 'Never changes, and is never used again.' },
};

const optionsOf = (labels: Readonly<Record<string, { label: string }>>) =>
  Object.entries(labels).map(([value, { label }]) => ({ value, label }));

type NameIdFieldsProps = { form: AttributesForm };

/** How the site recognises a person. */
export function NameIdFields({ form }: NameIdFieldsProps) {
  const { name_id_format, name_id_source } = form.values;
  const hasSource = isSourced(name_id_format);
  const handleFormat = (format: NameIdFormat) =>
    form.setValues({ name_id_format: format, ...(!isSourced(format) && { name_id_source: 'email' }) });
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>NameID</legend>
      <p className={classes.hint}>The name by which the application recognises a person.</p>
      <NativeSelect
        label="Format"
        description={formats[name_id_format].hint}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={optionsOf(formats)}
        value={name_id_format}
        onChange={(event) => handleFormat(event.currentTarget.value as NameIdFormat)}
      />
      {hasSource && (
        <NativeSelect
          label="Value"
          description={sources[name_id_source].hint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={optionsOf(sources)}
          error={form.errors['name_id_source']}
          value={name_id_source}
          onChange={(event) => form.setFieldValue('name_id_source', event.currentTarget.value as NameIdSource)}
        />
      )}
    </fieldset>
  );
}

const isSourced = (format: NameIdFormat): boolean => format === 'emailAddress' || format === 'unspecified';
