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
  children: ReactNode;
};

/** A page with one card on the backdrop and the footer below. The card stacks its sections. */
export function CardPage({ title, look, script, children }: CardPageProps) {
  return (
    <Document title={`${title} · ${networkNameOf(look)}`} script={script}>
      <Backdrop look={look} />
      <main>
        <div className="card">{children}</div>
      </main>
      <PageFooter look={look} />
    </Document>
  );
}
