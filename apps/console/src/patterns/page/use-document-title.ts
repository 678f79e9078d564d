import { useEffect } from 'react';
import { useRecordName } from './record-name.ts';
import { usePage } from './use-page.ts';

/** Sets the document title: the open record, the innermost screen, the product. */
export const useDocumentTitle = (): void => {
  const page = usePage();
  const record = useRecordName();
  const parts = [page.title?.startsWith(record) ? '' : record, page.title, 'OpenSocial'];
  const title = parts.filter(Boolean).join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
};
