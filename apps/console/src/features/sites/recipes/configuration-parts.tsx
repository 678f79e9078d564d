import { CodeBlock } from '../../../patterns/code-block/code-block.tsx';
import { CopyField } from '../../../patterns/copy-field/copy-field.tsx';
import formClasses from '../../../patterns/form/form.module.css';
import factClasses from '../identity-provider-facts.module.css';
import type { ConfigurationPart } from './configuration.ts';

type ConfigurationPartsProps = { parts: readonly ConfigurationPart[] };

/** What to paste or enter in an application, with copy buttons. */
export function ConfigurationParts({ parts }: ConfigurationPartsProps) {
  return parts.map((part) =>
    'text' in part ? (
      <CodeBlock key={part.title} title={part.title} text={part.text} />
    ) : (
      <div key={part.title} className={formClasses.group}>
        <h4 className={formClasses.legend}>{part.title}</h4>
        <dl className={factClasses.facts}>
          {part.fields.map(([label, value]) => (
            <CopyField key={label} label={label} value={value} />
          ))}
        </dl>
      </div>
    ),
  );
}
