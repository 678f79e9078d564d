import type { ReactNode } from 'react';
import { Document } from './document.tsx';
import { type Look, networkNameOf } from './look.ts';
import { Backdrop } from './parts/backdrop.tsx';
import { PageFooter } from './parts/page-footer.tsx';

type CardPageProps = { title: string; look: Look; children: ReactNode };

/** One card on the backdrop, the footer below. The card stacks whatever sections it is given. */
export function CardPage({ title, look, children }: CardPageProps) {
  return (
    <Document title={`${title} · ${networkNameOf(look)}`}>
      <Backdrop look={look} />
      <main>
        <div className="card">{children}</div>
      </main>
      <PageFooter look={look} />
    </Document>
  );
}
