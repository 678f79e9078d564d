import { guide } from 'virtual:guide';
import { useEffect } from 'react';
import { Link, useLocation } from 'react-router';
import { PageHeading } from '../../patterns/page/page-heading.tsx';
import type { GuideHeading } from './guide.ts';
import { GuideBlocks } from './guide-blocks.tsx';
import classes from './help-page.module.css';

const chapters = guide.blocks.filter((block): block is GuideHeading => block.kind === 'heading' && block.level === 2);

/** The guide for owners: docs/owners.md, with a table of contents. */
export function HelpPage() {
  const { hash } = useLocation();
  useEffect(() => {
    document.getElementById(decodeURIComponent(hash.slice(1)))?.focus({ preventScroll: true });
  }, [hash]);
  return (
    <>
      <PageHeading title={guide.title} />
      <div className={classes.page}>
        <nav className={classes.contents} aria-labelledby="guide-contents">
          <h2 id="guide-contents" className={classes.title}>
            In this guide
          </h2>
          <ol className={classes.chapters}>
            {chapters.map(({ id, text }) => (
              <li key={id}>
                <Link className={classes.chapter} to={{ hash: id }}>
                  {text}
                </Link>
              </li>
            ))}
          </ol>
        </nav>
        <article className={classes.guide}>
          <GuideBlocks blocks={guide.blocks} />
        </article>
      </div>
    </>
  );
}
