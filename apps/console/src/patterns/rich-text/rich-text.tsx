import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { RichTextEditorProps } from './rich-text-editor.tsx';

const RichTextEditor = lazy(async () => ({ default: (await import('./rich-text-editor.tsx')).RichTextEditor }));

/** A text with headings, sizes, colours, links and videos, as HTML. The editor is loaded when it is first shown. */
export function RichText(props: RichTextEditorProps) {
  return (
    <Suspense fallback={<Skeleton height={292} radius="md" role="status" aria-label="Loading the editor" />}>
      <RichTextEditor {...props} />
    </Suspense>
  );
}
