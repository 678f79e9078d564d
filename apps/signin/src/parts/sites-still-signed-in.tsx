import { Notice } from './notice.tsx';

type SitesStillSignedInProps = { names: readonly string[] };

/** The sites where the person may still be signed in, because the sign-out could not notify them. */
export function SitesStillSignedIn({ names }: SitesStillSignedInProps) {
  return (
    <Notice title="Some sites could not be signed out">
      <p>You may still be signed in there. Sign out of each, or close the browser.</p>
      <ul>
        {names.map((name) => (
          <li key={name}>
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
