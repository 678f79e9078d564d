import { ApiError } from '@opensocial/contract';
import { useEffect } from 'react';
import { useRevalidator, useRouteError } from 'react-router';
import { CardHeading, CardPage } from '../patterns/card-page/card-page.tsx';
import { ErrorPanel } from '../patterns/error-panel/error-panel.tsx';
import { showError } from '../patterns/toast/show-error.tsx';

/** Shown if the session could not be loaded because the server is down. It is then unknown whether the user is signed in. */
export function SessionErrorPage() {
  const { revalidate, state } = useRevalidator();
  return (
    <CardPage>
      <CardHeading>OpenSocial</CardHeading>
      <ErrorPanel onRetry={revalidate} retrying={state === 'loading'} />
    </CardPage>
  );
}

const reload = () => window.location.reload();

/**
 * Shown if a screen threw an error, its network could not be found, or its files no longer exist because a newer
 * version was deployed. Reloading the page fixes all of these. The server's message is shown as a toast (§8).
 */
export function ErrorScreen() {
  const error = useRouteError();
  useEffect(() => {
    if (error instanceof ApiError) showError(error);
  }, [error]);
  return (
    <>
      <h1 className="visually-hidden" tabIndex={-1}>
        This page could not be shown
      </h1>
      <ErrorPanel onRetry={reload} />
    </>
  );
}

/** The same error outside the shell. */
export function ErrorPage() {
  return (
    <CardPage>
      <CardHeading>OpenSocial</CardHeading>
      <ErrorPanel onRetry={reload} />
    </CardPage>
  );
}
