import { Notice } from './notice.tsx';

/** A site that the sign-out could not notify. `isRetried`: the server tries to notify it for some more minutes. */
export type SiteStillSignedIn = { name: string; isRetried: boolean };

type SitesStillSignedInProps = { sites: readonly SiteStillSignedIn[] };

/** The sites where the person may still be signed in, because the sign-out could not notify them. */
export function SitesStillSignedIn({ sites }: SitesStillSignedInProps) {
  return (
    <Notice title="You could not be signed out of some applications">
      <p>You may still be signed in there. Sign out of each, or close the browser.</p>
      <ul>
        {sites.map(({ name, isRetried }) => (
          <li key={`${name} ${isRetried}`}>
            <bdi>{name}</bdi>
            {isRetried && ' (we will try again in the next few minutes)'}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
