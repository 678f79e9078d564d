import { IconPlugOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { ErrorPanel } from '../../patterns/error-panel/error-panel.tsx';
import { webUrl } from '../../patterns/links/web-url.ts';
import { Notice } from '../../patterns/notice/notice.tsx';
import { embeddedPagesQuery } from './embedded.api.ts';
import classes from './embedded-page.module.css';

export function Report() {
  return <EmbeddedPage title="Report" address="report_url" setting="REPORT_URL" />;
}

export function Designer() {
  return <EmbeddedPage title="Designer" address="designer_url" setting="DESIGNER_URL" />;
}

type EmbeddedPageProps = { title: string; address: 'report_url' | 'designer_url'; setting: string };

/** A page of another host that fills the content area. */
function EmbeddedPage({ title, address, setting }: EmbeddedPageProps) {
  const pages = useQuery(embeddedPagesQuery);
  const url = pages.data && webUrl(pages.data[address]);
  return (
    <>
      <h1 className="visually-hidden" tabIndex={-1}>
        {title}
      </h1>
      {pages.isLoadingError && <ErrorPanel onRetry={pages.refetch} retrying={pages.isFetching} />}
      {pages.data && !url && (
        <Notice icon={<IconPlugOff />} title={`The ${title.toLowerCase()} page is not set up.`}>
          The operator of this server sets its address in {setting}.
        </Notice>
      )}
      {url && (
        <iframe
          className={classes.frame}
          data-fills-window
          title={title}
          src={url}
          // The page has another origin and needs its own scripts and cookies, so the sandbox allows both.
          // oxlint-disable-next-line react/iframe-missing-sandbox -- see above
          sandbox="allow-scripts allow-forms allow-same-origin allow-popups allow-downloads"
          referrerPolicy="no-referrer"
        />
      )}
    </>
  );
}
