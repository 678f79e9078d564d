import { NativeSelect } from '@mantine/core';
import { type AttributesPreview, formatXml, type UserRow } from '@opensocial/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '../../../api/transport/error-text.ts';
import { CopyField } from '../../../patterns/copy-field/copy-field.tsx';
import { Dialog } from '../../../patterns/dialog/dialog.tsx';
import { Fold } from '../../../patterns/fold/fold.tsx';
import formClasses from '../../../patterns/form/form.module.css';
import { FormError } from '../../../patterns/form/form-error.tsx';
import { FormWarning } from '../../../patterns/form/form-warning.tsx';
import classes from './attributes.module.css';
import { PersonField } from './person-field.tsx';
import { previewAttributes } from './site-attributes.api.ts';
import { type AttributesValues, toChanges } from './use-attributes-form.ts';

type AttributesPreviewDialogProps = { siteId: number; values: AttributesValues; onClose: () => void };

/** Shows the assertion that the site would get about a person with the values of the form. */
export function AttributesPreviewDialog({ siteId, values, onClose }: AttributesPreviewDialogProps) {
  const [person, setPerson] = useState<UserRow>();
  const [index, setIndex] = useState<number | null>(null);
  const previewing = useMutation(previewAttributes(siteId));
  const show = (who: UserRow | undefined, list: number | null) => {
    setPerson(who);
    setIndex(list);
    previewing.reset();
    const { version: _version, ...release } = toChanges(values);
    if (who) previewing.mutate({ ...release, user_id: who.id, index: list });
  };
  const indexes = values.further_attributes.flatMap((list) => list.index ?? []);
  return (
    <Dialog title="Preview of the assertion" size={720} onClose={onClose}>
      <div className={formClasses.form}>
        <p className={formClasses.hint}>
          What the application learns about a person who signs in, with the values of the form. Nothing is sent or
          saved.
        </p>
        <PersonField onChoose={(who) => show(who, index)} />
        {indexes.length > 0 && (
          <NativeSelect
            label="List"
            data={[
              { value: '', label: 'The list of requests without an index' },
              ...indexes.map((each) => ({ value: String(each), label: `The list with the index ${each}` })),
            ]}
            value={index === null ? '' : String(index)}
            onChange={({ currentTarget: { value } }) => show(person, value === '' ? null : Number(value))}
          />
        )}
        <FormError>{previewing.error && errorText(previewing.error)}</FormError>
        <div role="status" aria-busy={previewing.isPending}>
          {previewing.data && person && <Outcome preview={previewing.data} person={person} />}
          {previewing.isPending && <p className={formClasses.hint}>Building the assertion…</p>}
        </div>
      </div>
    </Dialog>
  );
}

const nameOfFormat = (format: string): string => format.split(':').at(-1) ?? format;

function Outcome({ preview: { refusal, assertion }, person }: { preview: AttributesPreview; person: UserRow }) {
  if (!assertion)
    return (
      <FormWarning>
        {person.fullname || person.email} could not sign in to this site: {refusal}.
      </FormWarning>
    );
  const isTransient = assertion.name_id.format.endsWith(':transient');
  return (
    <div className={formClasses.form}>
      <dl className={classes.nameId}>
        <CopyField label={`NameID (${nameOfFormat(assertion.name_id.format)})`} value={assertion.name_id.value} />
      </dl>
      {isTransient && (
        <p className={formClasses.hint}>This is an example: a transient NameID differs at each sign-in.</p>
      )}
      {assertion.attributes.length === 0 ? (
        <p className={formClasses.hint}>The assertion has no attributes.</p>
      ) : (
        <ValuesTable attributes={assertion.attributes} />
      )}
      <Fold title="XML">
        <p className={formClasses.hint}>
          Without a signature and expired since 1970, so that no application accepts it. IDs and times differ at each
          sign-in.
        </p>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be reachable with the keyboard */}
        <pre className={classes.xml} tabIndex={0} aria-label="XML of the assertion" role="region">
          {formatXml(assertion.xml)}
        </pre>
      </Fold>
    </div>
  );
}

type ValuesTableProps = { attributes: NonNullable<AttributesPreview['assertion']>['attributes'] };

function ValuesTable({ attributes }: ValuesTableProps) {
  return (
    <table className={classes.table}>
      <caption className="visually-hidden">Attributes of the assertion</caption>
      <thead>
        <tr>
          <th scope="col">Attribute</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {attributes.map(({ name, friendly_name, name_format, values }) => (
          <tr key={`${name} ${name_format}`}>
            <th scope="row">
              {friendly_name && <span>{friendly_name}</span>}
              <span className={friendly_name ? classes.detail : undefined}>{name}</span>
            </th>
            <td>
              {values.length === 0 ? (
                <span className={classes.detail}>No value, so it is left out</span>
              ) : (
                values.map((value, position) => (
                  // oxlint-disable-next-line react/no-array-index-key -- two values can be equal
                  <span key={position}>{value === '' ? <em className={classes.detail}>empty</em> : value}</span>
                ))
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
