import { Notice } from './notice.tsx';

type UntoldSitesProps = { names: readonly string[] };

/** The sites where the person may still be signed in, because the sign-out could not notify them. */
export function UntoldSites({ names }: UntoldSitesProps) {
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
