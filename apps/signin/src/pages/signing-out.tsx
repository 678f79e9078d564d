import { assets } from '../assets.ts';
import { CardPage } from '../layout.tsx';
import { webUrl } from '../links.ts';
import { type Look, ownLook } from '../look.ts';
import { CardHeading } from '../parts/card-heading.tsx';

/** A logout request for a frame: an address to load, a form to post, or a page that does not answer. */
type FramedRequest =
  | { redirect: string }
  | { form: { action: string; fields: Record<string, string> } }
  | { page: string; id: number };

export type SigningOutPage = {
  look?: Look | undefined;
  /** The form that continues after the frames. */
  action: string;
  fields: Record<string, string>;
  /** A site without a request is visited after the frames. */
  sites: readonly { name: string; request: FramedRequest | undefined }[];
};

/**
 * Signs out of sites in hidden frames, which its script loads, and continues when all have answered or some took too long. Without scripts,
 * the form leads to each site in turn.
 */
export function SigningOut({ look = ownLook, action, fields, sites }: SigningOutPage) {
  return (
    <CardPage title="Signing you out" look={look} script={assets.logoutScript}>
      <div className="signing-out">
        <CardHeading>Signing you out…</CardHeading>
        <ul className="sites" aria-label="Applications">
          {sites.map(({ name, request }, place) => (
            <SiteLine key={`${place} ${name}`} name={name} request={request} />
          ))}
        </ul>
        <p className="status" role="status" />
        <noscript>
          <p>One more step: press Continue.</p>
        </noscript>
        <form method="post" action={action} data-logout="">
          {Object.entries(fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <input type="hidden" name="framed" value="" />
          <input type="hidden" name="loaded" value="" />
          <button className="button" type="submit">
            Continue
          </button>
        </form>
      </div>
    </CardPage>
  );
}

const addressOf = (request: FramedRequest): string => {
  if ('page' in request) return request.page;
  return 'redirect' in request ? request.redirect : request.form.action;
};

type SiteLineProps = { name: string; request: FramedRequest | undefined };

function SiteLine({ name, request }: SiteLineProps) {
  if (request && !webUrl(addressOf(request))) throw new TypeError('A frame loads an http or https address only');
  return (
    <li data-name={name} data-request={request && JSON.stringify(request)} data-state="waiting">
      <svg className="site-state" viewBox="0 0 20 20" aria-hidden="true">
        <circle className="site-ring" cx="10" cy="10" r="7.5" />
        <path className="site-turn" d="M10 2.5a7.5 7.5 0 0 1 7.5 7.5" />
        <path className="site-tick" d="m6.2 10.3 2.6 2.6 5-5.4" />
        <path className="site-dash" d="M6.5 10h7" />
      </svg>
      <bdi className="site-name">{name}</bdi>
      <span className="site-text" />
    </li>
  );
}
