import { Fragment, type ReactNode } from 'react';
import type { Call, Content, Parameter, Schema } from './openapi.ts';
import { schemaText } from './schema-text.ts';

type Schemas = Record<string, Schema> | undefined;

type CallCardProps = { call: Call; schemas: Schemas };

export function CallCard({ call: { id, method, path, operation }, schemas }: CallCardProps) {
  const { summary, description, parameters = [], requestBody, responses = {} } = operation;
  const access = operation['x-access'];
  return (
    <article id={id} className="call">
      {summary && <h3>{summary}</h3>}
      <p className="call-line">
        <span className={`method method-${method}`}>{method.toUpperCase()}</span>
        <code>{breakable(path)}</code>
      </p>
      {description && <p>{description}</p>}
      {access && (
        <p className="access">
          <span>Who may call it</span> {access}
        </p>
      )}
      {parameters.length > 0 && <Parameters parameters={parameters} schemas={schemas} />}
      {requestBody?.content && (
        <Fold title="Body">
          <Shapes content={requestBody.content} schemas={schemas} />
        </Fold>
      )}
      {Object.entries(responses).map(([status, answer]) => (
        <Fold key={status} title={`Answer ${status}`} note={answer.description}>
          {answer.content ? <Shapes content={answer.content} schemas={schemas} /> : <p>No content.</p>}
        </Fold>
      ))}
    </article>
  );
}

/** Lets a long path break after a slash instead of inside a word. */
const breakable = (path: string): ReactNode =>
  path.split('/').map((part, index) => (
    <Fragment key={`${index} ${part}`}>
      {index > 0 && (
        <>
          /<wbr />
        </>
      )}
      {part}
    </Fragment>
  ));

type FoldProps = { title: string; note?: string | undefined; children: ReactNode };

function Fold({ title, note, children }: FoldProps) {
  return (
    <details>
      <summary>
        {title} {note && <span>{note}</span>}
      </summary>
      {children}
    </details>
  );
}

type ParametersProps = { parameters: readonly Parameter[]; schemas: Schemas };

function Parameters({ parameters, schemas }: ParametersProps) {
  return (
    <Fold title="Parameters" note={String(parameters.length)}>
      <dl className="parameters">
        {parameters.map(({ name, in: place, required, description, schema = true }) => (
          <div key={`${place} ${name}`}>
            <dt>
              <code>{name}</code> <span>{required ? place : `${place}, optional`}</span>
            </dt>
            <dd>
              <code>{schemaText(schema, schemas)}</code>
              {description && <p>{description}</p>}
            </dd>
          </div>
        ))}
      </dl>
    </Fold>
  );
}

type ShapesProps = { content: Content; schemas: Schemas };

function Shapes({ content, schemas }: ShapesProps) {
  return Object.entries(content).map(([type, { schema = true }]) => (
    <div key={type}>
      <p className="media-type">{type}</p>
      <pre>{schemaText(schema, schemas)}</pre>
    </div>
  ));
}
