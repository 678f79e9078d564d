import { CopyField } from '../../../patterns/copy-field/copy-field.tsx';
import { FormWarning } from '../../../patterns/form/form-warning.tsx';
import factClasses from '../identity-provider-facts.module.css';

type NewSecretProps = { secret: string };

/** A secret that was just made. */
export function NewSecret({ secret }: NewSecretProps) {
  return (
    <>
      <FormWarning>The secret is shown only now. Copy it into the application before you leave this page.</FormWarning>
      <dl className={factClasses.facts}>
        <CopyField label="Client secret" value={secret} />
      </dl>
    </>
  );
}
