import { Button, Chip, Skeleton } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { TimelineKind, type User } from '@opensocial/contract';
import { IconHistory } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useOutletContext } from 'react-router';
import { useAdminNetwork } from '../../../api/session/admin-network.ts';
import { ErrorPanel } from '../../../patterns/error-panel/error-panel.tsx';
import { Notice } from '../../../patterns/notice/notice.tsx';
import { MoreRows } from '../../../patterns/record-list/table/more-rows.tsx';
import { timelineQuery } from './timeline.api.ts';
import { TimelineItem } from './timeline-item.tsx';
import classes from './user-timeline-tab.module.css';

const kinds = [
  ['all', 'All'],
  ['sign_in', 'Sign-ins'],
  ['mail', 'Emails'],
  ['security', 'Security'],
  ['change', 'Changes'],
] as const;

/** §2.8, Timeline tab: what happened to a person, newest first. The panel provides the user. */
export function UserTimelineTab() {
  const user = useOutletContext<User | undefined>();
  const [kind, setKind] = useState<string>('all');
  return (
    <div className={classes.tab}>
      <fieldset className={classes.filter}>
        <legend className="visually-hidden">Kinds of entries</legend>
        <Chip.Group value={kind} onChange={setKind}>
          {kinds.map(([value, label]) => (
            <Chip key={value} value={value} variant="outline" size="sm">
              {label}
            </Chip>
          ))}
        </Chip.Group>
      </fieldset>
      {user ? <Entries user={user} kind={TimelineKind.safeParse(kind).data} /> : <Placeholder />}
    </div>
  );
}

type EntriesProps = { user: User; kind: TimelineKind | undefined };

function Entries({ user, kind }: EntriesProps) {
  const network = useAdminNetwork();
  const { data, ...query } = useInfiniteQuery(timelineQuery(network, user.id, kind));
  if (query.isLoadingError) return <ErrorPanel onRetry={query.refetch} retrying={query.isFetching} />;
  if (!data) return <Placeholder />;
  const entries = data.pages.flatMap((page) => page.entries);
  if (entries.length === 0)
    return (
      <Notice icon={<IconHistory />} title="No activity yet">
        {kind === undefined
          ? `Sign-ins, emails and changes of this person in ${network.name} appear here.`
          : 'There are no entries of this kind. Choose another kind above.'}
      </Notice>
    );
  return (
    <>
      <ol
        className={classes.entries}
        aria-label={`Timeline of ${user.fullname || user.email}`}
        aria-busy={query.isFetching}
      >
        {entries.map((entry) => (
          <TimelineItem key={`${entry.kind}-${entry.id}`} entry={entry} network={network} />
        ))}
      </ol>
      {query.hasNextPage && !query.isFetchingNextPage && !query.isFetchNextPageError && (
        <MoreButton onReach={() => void query.fetchNextPage()} />
      )}
      <MoreRows
        loading={query.isFetchingNextPage}
        failed={query.isFetchNextPageError && !query.isFetchingNextPage}
        onRetry={() => void query.fetchNextPage()}
      />
    </>
  );
}

type MoreButtonProps = { onReach: () => void };

/** Loads the next page when it is scrolled into view, or pressed. */
function MoreButton({ onReach }: MoreButtonProps) {
  const { ref, entry } = useIntersection<HTMLButtonElement>({ rootMargin: '400px' });
  const isReached = entry?.isIntersecting === true;
  useEffect(() => {
    if (isReached) onReach();
    // oxlint-disable-next-line react/exhaustive-deps -- only reaching the button loads a page, not a new callback
  }, [isReached]);
  return (
    <Button ref={ref} variant="subtle" onClick={onReach}>
      Show earlier entries
    </Button>
  );
}

function Placeholder() {
  return (
    <div className={classes.entries} role="status" aria-label="Loading the timeline">
      {Array.from({ length: 6 }, (_, line) => (
        <Skeleton key={line} height={44} radius="md" my={6} />
      ))}
    </div>
  );
}
