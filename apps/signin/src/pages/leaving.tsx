import { CardPage } from '../layout.tsx';
import { webUrl } from '../links.ts';
import { type Look, ownLook } from '../look.ts';
import { CardHeading } from '../parts/card-heading.tsx';

export type LeavingPage = {
  look?: Look | undefined;
  /** The provider's display name, such as 'Google'. */
  label: string;
  url: string;
};

/**
 * Sends the browser to another provider. It is a page instead of a redirect, because browsers apply the page's
 * form-action policy to redirects of a form.
 */
export function Leaving({ look = ownLook, label, url }: LeavingPage) {
  if (!webUrl(url)) throw new TypeError('People are sent to an http or https address only');
  const title = `Redirecting to ${label}…`;
  return (
    <CardPage title={title} look={look}>
      <meta httpEquiv="refresh" content={`0; url=${url}`} />
      <CardHeading>{title}</CardHeading>
      <a className="button button-primary" href={url}>
        Continue
      </a>
    </CardPage>
  );
}
