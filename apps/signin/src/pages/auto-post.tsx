import { createHash } from 'node:crypto';
import { CardPage } from '../layout.tsx';
import { webUrl } from '../links.ts';
import { type Look, ownLook } from '../look.ts';
import { CardHeading } from '../parts/card-heading.tsx';

export type AutoPostPage = {
  look?: Look | undefined;
  /** What is under way, such as 'Signing you in…'. */
  title: string;
  action: string;
  fields: Record<string, string>;
};

// Through the prototype, because a field named 'submit' would hide the form's own method.
const script = 'HTMLFormElement.prototype.submit.call(document.forms[0])';

export const autoPostScriptHash = `sha256-${createHash('sha256').update(script).digest('base64')}`;

export function AutoPost({ look = ownLook, title, action, fields }: AutoPostPage) {
  if (!webUrl(action)) throw new TypeError('An auto-post form goes to an http or https address only');
  return (
    <CardPage title={title} look={look}>
      <div className="auto-post">
        <CardHeading>{title}</CardHeading>
        <noscript>
          <p>One more step: press Continue.</p>
        </noscript>
        <form method="post" action={action}>
          {Object.entries(fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <button className="button button-primary" type="submit">
            Continue
          </button>
        </form>
      </div>
      <script dangerouslySetInnerHTML={{ __html: script }} />
    </CardPage>
  );
}
