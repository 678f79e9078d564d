import type { ReactNode } from 'react';
import type { Asset } from './assets.ts';
import { Document } from './document.tsx';
import { type Look, networkNameOf } from './look.ts';
import { Backdrop } from './parts/backdrop.tsx';
import { PageFooter } from './parts/page-footer.tsx';

type CardPageProps = {
  title: string;
  look: Look;
  /** The only script of the page. */
  script?: Asset | undefined;
  /** For a page that shows messages. */
  isWide?: boolean;
  isPreview?: boolean | undefined;
  children: ReactNode;
};

/** A page with one card on the backdrop and the footer below. The card stacks its sections. */
export function CardPage({ title, look, script, isWide = false, isPreview, children }: CardPageProps) {
  return (
    <Document title={`${title} · ${networkNameOf(look)}`} script={script} isPreview={isPreview}>
      <Backdrop look={look} />
      <main>
        <div className={isWide ? 'card card-wide' : 'card'}>{children}</div>
      </main>
      <PageFooter look={look} />
    </Document>
  );
}
