import { CardPage } from '../layout.tsx';
import type { Look } from '../look.ts';
import { StepHeading } from '../parts/card-heading.tsx';

export type SiteTestOutcome = 'yes' | 'no' | 'note' | 'skipped';

export type SiteTestPart = {
  title: string;
  checks: readonly { label: string; outcome: SiteTestOutcome; text: string }[];
  /** Decoded messages. */
  messages?: readonly { title: string; text: string }[] | undefined;
};

export type SiteTestPage = {
  look: Look;
  /** The result in a few words and in a sentence. */
  verdict: { outcome: 'yes' | 'no' | 'note'; title: string; text: string };
  parts: readonly SiteTestPart[];
  /** Sends the answer, or stops the test. */
  form?: { action: string; csrf: string; attempt: string; label: string } | undefined;
  /** Where the console shows what is wrong. */
  correction?: string | undefined;
};

/** An answer to an application, shown to the owner who tests the sign-in before it is sent. */
export function SiteTest({ look, verdict, parts, form, correction }: SiteTestPage) {
  return (
    <CardPage title="Test sign-in" look={look} isWide>
      <StepHeading look={look}>Test sign-in</StepHeading>
      <section className="verdict" data-outcome={verdict.outcome} aria-label="Result">
        <Mark outcome={verdict.outcome} />
        <div>
          <h2>{verdict.title}</h2>
          {verdict.outcome === 'no' && <WrongParts parts={parts} />}
          <p>{verdict.text}</p>
        </div>
      </section>
      {form && (
        <form className="actions test-actions" method="post" action={form.action}>
          <input type="hidden" name="csrf" value={form.csrf} />
          <input type="hidden" name="attempt" value={form.attempt} />
          <button className="button button-primary" type="submit" name="decision" value="send">
            {form.label}
          </button>
          <button className="button" type="submit" name="decision" value="stop">
            Stop
          </button>
        </form>
      )}
      {correction && (
        <p className="test-correction">
          <a href={correction}>Correct it in the console</a>
        </p>
      )}
      {parts.length > 0 && (
        <ol className="test-parts">
          {parts.map((part) => (
            <Part key={part.title} part={part} />
          ))}
        </ol>
      )}
    </CardPage>
  );
}

/** The reasons are repeated at the top: the list of all checks is longer than a screen. */
function WrongParts({ parts }: { parts: readonly SiteTestPart[] }) {
  const wrong = parts.flatMap(({ checks }) => checks).filter(({ outcome }) => outcome === 'no');
  return wrong.map(({ label, text }) => <p key={label}>{text}</p>);
}

function Part({ part: { title, checks, messages = [] } }: { part: SiteTestPart }) {
  return (
    <li>
      <h2>{title}</h2>
      <ul className="test-checks">
        {checks.map(({ label, outcome, text }) => (
          <li key={label} data-outcome={outcome}>
            <Mark outcome={outcome} />
            <div>
              <h3>{label}</h3>
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ul>
      {messages.map((message) => (
        <details key={message.title} className="test-message">
          <summary>{message.title}</summary>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Long messages scroll inside this region, and the keyboard can scroll an element only if it has the focus. */}
          <pre tabIndex={0} aria-label={message.title} role="region">
            {message.text}
          </pre>
        </details>
      ))}
    </li>
  );
}

const marks: Record<SiteTestOutcome, { label: string; path: string }> = {
  yes: { label: 'Right', path: 'M5 10.5l3.5 3.5L15 7' },
  no: { label: 'Wrong', path: 'M6 6l8 8M14 6l-8 8' },
  note: { label: 'Note', path: 'M10 9v5M10 6v.01' },
  skipped: { label: 'Not checked', path: 'M6 10h8' },
};

function Mark({ outcome }: { outcome: SiteTestOutcome }) {
  const { label, path } = marks[outcome];
  return (
    <svg className="test-mark" viewBox="0 0 20 20" role="img" aria-label={label}>
      <path d={path} />
    </svg>
  );
}
