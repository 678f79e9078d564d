import type { ReactNode } from 'react';
import { BrandMark } from '../brand/brand-mark.tsx';
import classes from './card-page.module.css';

type CardPageProps = { footer?: ReactNode; children: ReactNode };

/** A page with one card, as on the sign-in pages, for screens outside the shell. */
export function CardPage({ footer, children }: CardPageProps) {
  return (
    <div className={classes.page}>
      <main className={classes.card}>{children}</main>
      <footer className={classes.footer}>
        <span className={classes.brand}>
          <BrandMark size={17} className={classes.mark} />
          OpenSocial
        </span>
        {footer}
      </footer>
    </div>
  );
}

type CardHeadingProps = { children: ReactNode };

export function CardHeading({ children }: CardHeadingProps) {
  return (
    <header className={classes.heading}>
      <span className={classes.plate}>
        <BrandMark size={28} />
      </span>
      <h1 className={classes.title}>{children}</h1>
    </header>
  );
}
