import { CardPage } from '../layout.tsx';
import { mailUrl } from '../links.ts';
import { type Look, ownLook } from '../look.ts';
import { CardHeading } from '../parts/card-heading.tsx';

export type ErrorPage = {
  look?: Look | undefined;
  title: string;
  /** What happened and what to do next. */
  message: string;
  reference: string;
  homeUrl?: string | undefined;
};

export function ErrorNotice({ look = ownLook, title, message, reference, homeUrl }: ErrorPage) {
  const { helpEmail } = look;
  return (
    <CardPage title={title} look={look}>
      <CardHeading>{title}</CardHeading>
      <p>{message}</p>
      <dl className="reference">
        <dt>Reference</dt>
        <dd>{reference}</dd>
      </dl>
      <p className="hint">
        Quote this number when you ask {helpEmail ? <a href={mailUrl(helpEmail)}>support</a> : 'for help'}.
      </p>
      {homeUrl && (
        <a className="button" href={homeUrl}>
          Go to the start page
        </a>
      )}
    </CardPage>
  );
}
