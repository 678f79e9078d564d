import type { ReactElement, ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { type Asset, assets } from './assets.ts';

const titleLength = 80;

type DocumentProps = {
  title: string;
  stylesheet?: Asset;
  script?: Asset | undefined;
  /** A preview can be looked at, but its links, fields and buttons do not work. */
  isPreview?: boolean | undefined;
  children: ReactNode;
};

/**
 * Blocks rendering until the stylesheet is loaded, so that nothing jumps. Browsers that do not support it load it
 * afterwards.
 */
const beforeDrawing = { blocking: 'render' };

export function Document({
  title,
  stylesheet = assets.stylesheet,
  script,
  isPreview = false,
  children,
}: DocumentProps) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <meta name="robots" content="noindex" />
        <title>{shorten(title)}</title>
        <link rel="icon" href={assets.favicon.path} type={assets.favicon.type} />
        <link rel="preload" href={assets.font.path} as="font" type={assets.font.type} crossOrigin="anonymous" />
        <link rel="stylesheet" href={stylesheet.path} />
        {script && <script type="module" src={script.path} {...beforeDrawing} />}
      </head>
      <body inert={isPreview}>{children}</body>
    </html>
  );
}

const shorten = (title: string): string =>
  title.length <= titleLength ? title : `${title.slice(0, titleLength - 1).toWellFormed()}…`;

export const renderDocument = (page: ReactElement): string => `<!doctype html>${renderToStaticMarkup(page)}`;
