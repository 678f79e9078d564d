import { CardPage } from '../layout.tsx';
import { type Look, ownLook } from '../look.ts';
import { CardHeading } from '../parts/card-heading.tsx';
import { UntoldSites } from '../parts/untold-sites.tsx';

export type SignedOutPage = {
  look?: Look | undefined;
  signInUrl: string;
  /** Names of the sites that single logout could not notify. */
  untoldSites?: readonly string[] | undefined;
};

export function SignedOut({ look = ownLook, signInUrl, untoldSites = [] }: SignedOutPage) {
  return (
    <CardPage title="You are signed out" look={look}>
      <CardHeading>You are signed out</CardHeading>
      {untoldSites.length > 0 ? (
        <UntoldSites names={untoldSites} />
      ) : (
        <p>On a computer that others use, close the browser too.</p>
      )}
      <a className="button button-primary" href={signInUrl}>
        Sign in again
      </a>
    </CardPage>
  );
}
