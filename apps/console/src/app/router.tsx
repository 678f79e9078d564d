import { Outlet, type RouteObject } from 'react-router';
import { setPasswordRoute } from '../features/activation/activation.routes.tsx';
import { homeRoute } from '../features/desktop/desktop.routes.tsx';
import { useDocumentTitle } from '../patterns/page/use-document-title.ts';
import { FullPageSpinner } from '../patterns/spinner/full-page-spinner.tsx';
import { notFoundRoute } from './not-found.routes.tsx';
import { BrokenPage, BrokenScreen, SessionErrorPage } from './route-errors.tsx';
import { requireSession } from './session-guard.ts';
import { Shell } from './shell/shell.tsx';

/** Everything but the activation page needs a session (SPEC 2.1). */
const guarded: RouteObject = {
  loader: requireSession,
  shouldRevalidate: () => false,
  HydrateFallback: FullPageSpinner,
  ErrorBoundary: SessionErrorPage,
  children: [
    {
      Component: Shell,
      ErrorBoundary: BrokenPage,
      children: [{ ErrorBoundary: BrokenScreen, children: [homeRoute, notFoundRoute] }],
    },
  ],
};

export const routes: RouteObject[] = [
  { Component: Root, ErrorBoundary: BrokenPage, children: [setPasswordRoute, guarded] },
];

function Root() {
  useDocumentTitle();
  return <Outlet />;
}
