import { type ComponentProps, type RefObject, useLayoutEffect, useRef } from 'react';
import { showMarkup } from './markup.ts';

type MarkupFrameProps = Omit<ComponentProps<'iframe'>, 'srcDoc' | 'ref'> & {
  html: string;
  title: string;
  sandbox: string;
  ref?: RefObject<HTMLIFrameElement | null>;
};

/** A frame with markup. React would assign the markup as plain text, which the Content-Security-Policy refuses. */
export function MarkupFrame({ html, title, sandbox, ref, ...props }: MarkupFrameProps) {
  const own = useRef<HTMLIFrameElement>(null);
  const frame = ref ?? own;
  useLayoutEffect(() => {
    if (frame.current) showMarkup(frame.current, html);
  }, [frame, html]);
  return <iframe ref={frame} title={title} sandbox={sandbox} {...props} />;
}
