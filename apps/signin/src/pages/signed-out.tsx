import { CardPage } from '../layout.tsx';
import { type Look, ownLook } from '../look.ts';
import { CardHeading } from '../parts/card-heading.tsx';
import { type SiteStillSignedIn, SitesStillSignedIn } from '../parts/sites-still-signed-in.tsx';

export type SignedOutPage = {
  look?: Look | undefined;
  signInUrl: string;
  /** Names of the sites that single logout could not notify. */
  sitesStillSignedIn?: readonly SiteStillSignedIn[] | undefined;
};

export function SignedOut({ look = ownLook, signInUrl, sitesStillSignedIn = [] }: SignedOutPage) {
  return (
    <CardPage title="You are signed out" look={look}>
      <CardHeading>You are signed out</CardHeading>
      {sitesStillSignedIn.length > 0 ? (
        <SitesStillSignedIn sites={sitesStillSignedIn} />
      ) : (
        <p>On a computer that others use, close the browser too.</p>
      )}
      <a className="button button-primary" href={signInUrl}>
        Sign in again
      </a>
    </CardPage>
  );
}
