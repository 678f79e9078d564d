import type { ClaimsPreview, UserRow } from '@opensocial/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '../../../api/transport/error-text.ts';
import { CodeBlock } from '../../../patterns/code-block/code-block.tsx';
import { Dialog } from '../../../patterns/dialog/dialog.tsx';
import { Fold } from '../../../patterns/fold/fold.tsx';
import formClasses from '../../../patterns/form/form.module.css';
import { FormError } from '../../../patterns/form/form-error.tsx';
import { FormWarning } from '../../../patterns/form/form-warning.tsx';
import classes from './attributes.module.css';
import { PersonField } from './person-field.tsx';
import { previewClaimsOf } from './site-attributes.api.ts';
import { type AttributesValues, toChanges } from './use-attributes-form.ts';

type ClaimsPreviewDialogProps = { siteId: number; values: AttributesValues; onClose: () => void };

/** Shows the claims that the site would get about a person with the values of the form. */
export function ClaimsPreviewDialog({ siteId, values, onClose }: ClaimsPreviewDialogProps) {
  const [person, setPerson] = useState<UserRow>();
  const previewing = useMutation(previewClaimsOf(siteId));
  const show = (chosen: UserRow | undefined) => {
    setPerson(chosen);
    previewing.reset();
    if (chosen) previewing.mutate({ user_id: chosen.id, attributes: toChanges(values).attributes });
  };
  return (
    <Dialog title="Preview of the claims" size={720} onClose={onClose}>
      <div className={formClasses.form}>
        <p className={formClasses.hint}>
          What the application learns about a person who signs in, with the values of the form. Nothing is sent or
          saved.
        </p>
        <PersonField onChoose={show} />
        <FormError>{previewing.error && errorText(previewing.error)}</FormError>
        <div role="status" aria-busy={previewing.isPending}>
          {previewing.data && person && <Outcome preview={previewing.data} person={person} />}
          {previewing.isPending && <p className={formClasses.hint}>Collecting the claims…</p>}
        </div>
      </div>
    </Dialog>
  );
}

const toText = (value: ClaimsPreview['claims'][number]['value']): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

function Outcome({ preview: { refusal, claims, id_token }, person }: { preview: ClaimsPreview; person: UserRow }) {
  if (refusal !== null)
    return (
      <FormWarning>
        {person.fullname || person.email} could not sign in to this site: {refusal}.
      </FormWarning>
    );
  return (
    <div className={formClasses.form}>
      <table className={classes.table}>
        <caption className="visually-hidden">Claims about this person</caption>
        <thead>
          <tr>
            <th scope="col">Claim</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          {claims.map(({ name, scope, value }) => (
            <tr key={name}>
              <th scope="row">
                <span>{name}</span>
                <span className={classes.detail}>
                  {scope === 'openid' ? 'in every sign-in' : `with the scope ${scope}`}
                </span>
              </th>
              <td>
                <span>{toText(value) || <em className={classes.detail}>empty</em>}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Fold title="ID token">
        <p className={formClasses.hint}>
          For a request with all scopes. It has no signature and has expired since 1970, so that no application accepts
          it.
        </p>
        <CodeBlock title="ID token as JSON" text={id_token} />
      </Fold>
    </div>
  );
}
