import { createHash } from 'node:crypto';
import { renderToStaticMarkup } from 'react-dom/server';
import { renderDocument } from '../document.tsx';
import { CardPage } from '../layout.tsx';
import { webUrl } from '../links.ts';
import { ownLook } from '../look.ts';
import { CardHeading } from '../parts/card-heading.tsx';

/** The text that is shown meanwhile. */
export type AutoPostTitle = 'Signing you in…' | 'Signing you out…' | 'Returning to the application…';

export type AutoPostPage = { title: AutoPostTitle; action: string; fields: Record<string, string> };

// Called through the prototype, because a field named 'submit' would hide the form's own method.
const script = 'HTMLFormElement.prototype.submit.call(document.forms[0])';

export const autoPostScriptHash = `sha256-${createHash('sha256').update(script).digest('base64')}`;

function Frame({ title }: { title: AutoPostTitle }) {
  return (
    <CardPage title={title} look={ownLook}>
      <div className="auto-post">
        <CardHeading>{title}</CardHeading>
        <noscript>
          <p>One more step: press Continue.</p>
        </noscript>
        <form />
      </div>
      <script dangerouslySetInnerHTML={{ __html: script }} />
    </CardPage>
  );
}

function Form({ action, fields }: Omit<AutoPostPage, 'title'>) {
  return (
    <form method="post" action={action}>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button className="button button-primary" type="submit">
        Continue
      </button>
    </form>
  );
}

const frames = new Map<AutoPostTitle, readonly [before: string, after: string]>();

/**
 * Everything except the form is constant and rendered once. It is ASCII, because a single other character would double
 * the page's size in memory.
 */
const frameFor = (title: AutoPostTitle): readonly [before: string, after: string] => {
  const kept = frames.get(title);
  if (kept) return kept;
  const html = renderDocument(<Frame title={title} />);
  const [before = '', after = ''] = html
    .replaceAll(/[^\0-\x7f]/gu, (character) => `&#${character.codePointAt(0)};`)
    .split('<form></form>');
  frames.set(title, [before, after]);
  return [before, after];
};

/** Every sign-on ends on this page, so it is optimised for speed. */
export const renderAutoPost = ({ title, action, fields }: AutoPostPage): string => {
  if (!webUrl(action)) throw new TypeError('An auto-post form goes to an http or https address only');
  const [before, after] = frameFor(title);
  return `${before}${renderToStaticMarkup(<Form action={action} fields={fields} />)}${after}`;
};
