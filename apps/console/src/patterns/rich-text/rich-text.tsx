import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { RichTextEditorProps } from './rich-text-editor.tsx';

const RichTextEditor = lazy(async () => ({ default: (await import('./rich-text-editor.tsx')).RichTextEditor }));

/** A field for formatted text as HTML: headings, sizes, colours, links and videos. The editor is loaded on demand. */
export function RichText(props: RichTextEditorProps) {
  return (
    <Suspense fallback={<Skeleton height={292} radius="md" role="status" aria-label="Loading the editor" />}>
      <RichTextEditor {...props} />
    </Suspense>
  );
}
