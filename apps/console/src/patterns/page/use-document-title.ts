import { useEffect } from 'react';
import { useMatches } from 'react-router';
import type { PageHandle } from './page-route.ts';

/** The title of the innermost screen, in the browser's tab. */
export const useDocumentTitle = (): void => {
  const handle = useMatches().at(-1)?.handle as PageHandle | undefined;
  const title = handle ? `${handle.title} · OpenSocial` : 'OpenSocial';
  useEffect(() => {
    document.title = title;
  }, [title]);
};
