import { useEffect } from 'react';
import { usePage } from './use-page.ts';

/** The title of the innermost screen, in the browser's tab. */
export const useDocumentTitle = (): void => {
  const page = usePage();
  const title = page.title ? `${page.title} · OpenSocial` : 'OpenSocial';
  useEffect(() => {
    document.title = title;
  }, [title]);
};
