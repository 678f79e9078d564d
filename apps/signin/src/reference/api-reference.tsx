import { assets } from '../assets.ts';
import { Document } from '../document.tsx';
import { BrandMark } from '../parts/brand-mark.tsx';
import { CallCard } from './call-card.tsx';
import { type CallGroup, groupCalls, type OpenApiDocument } from './openapi.ts';

export type ApiReferencePage = { openapi: OpenApiDocument };

export function ApiReference({ openapi }: ApiReferencePage) {
  const { info, components } = openapi;
  const groups = groupCalls(openapi);
  return (
    <Document title={`${info.title} · API reference`} stylesheet={assets.referenceStylesheet}>
      <Contents groups={groups} />
      <main>
        <header className="intro">
          <p className="intro-brand">
            <BrandMark /> API reference
          </p>
          <h1>{info.title}</h1>
          <p>Version {info.version}</p>
          {info.description && <p>{info.description}</p>}
        </header>
        {groups.map((group) => (
          <section key={group.id} id={group.id} aria-labelledby={`${group.id}-name`}>
            <h2 id={`${group.id}-name`}>{group.name}</h2>
            {group.description && <p>{group.description}</p>}
            {group.calls.map((call) => (
              <CallCard key={call.id} call={call} schemas={components?.schemas} />
            ))}
          </section>
        ))}
      </main>
    </Document>
  );
}

type ContentsProps = { groups: CallGroup[] };

function Contents({ groups }: ContentsProps) {
  return (
    <nav className="contents" aria-label="Contents">
      <ul>
        {groups.map((group) => (
          <li key={group.id}>
            <a href={`#${group.id}`}>{group.name}</a>
            <ul>
              {group.calls.map(({ id, method, path, operation }) => (
                <li key={id}>
                  <a href={`#${id}`}>{operation.summary ?? `${method.toUpperCase()} ${path}`}</a>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </nav>
  );
}
