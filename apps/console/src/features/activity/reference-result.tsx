import type { ShownErrorPage } from '@opensocial/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { toSiteSso, toUserTimeline } from '../../api/links/panel-links.ts';
import { errorReferenceQuery, missingReferenceText } from '../../api/sign-in/error-reference.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { ErrorPanel } from '../../patterns/error-panel/error-panel.tsx';
import { Fact, Facts, FactsSkeleton } from '../../patterns/facts/facts.tsx';
import { exactTime } from '../../patterns/format/format.ts';
import { toLine } from './activity.links.ts';
import { reasonText } from './line-texts.ts';
import classes from './reference-result.module.css';

type ReferenceResultProps = { network: NetworkRef; reference: string };

/** §2.13: the error page with a reference number that a person has read out. It is shown above the list of sign-ins. */
export function ReferenceResult({ network, reference }: ReferenceResultProps) {
  const query = useQuery(errorReferenceQuery(network, reference));
  return (
    <section className={classes.result} aria-label={`Reference ${reference}`}>
      <h2 className={classes.heading}>Reference {reference}</h2>
      {query.isLoadingError ? (
        <ErrorPanel onRetry={() => void query.refetch()} retrying={query.isFetching} />
      ) : query.data === undefined ? (
        <FactsSkeleton label="Looking for the reference number" lines={3} />
      ) : query.data ? (
        <FoundPage network={network} page={query.data} />
      ) : (
        <p className={classes.text} role="status">
          No error page of {network.name} has this number. {missingReferenceText}
        </p>
      )}
    </section>
  );
}

type FoundPageProps = { network: NetworkRef; page: ShownErrorPage };

function FoundPage({ network, page }: FoundPageProps) {
  const { title, message, site, person, line, at } = page;
  return (
    <Facts>
      <Fact label="Page" hint={message}>
        {title}
      </Fact>
      <Fact label="Time">
        <time dateTime={at}>{exactTime(at)}</time>
      </Fact>
      <Fact label="Site">
        {!site && 'Not known'}
        {site?.is_console && 'This console'}
        {site && !site.is_console && <Link to={toSiteSso(network.name, site)}>{site.name}</Link>}
      </Fact>
      <Fact label="Person">
        {person ? <Link to={toUserTimeline(network.name, person.id)}>{person.name || person.email}</Link> : 'Not known'}
      </Fact>
      <Fact label="Sign-in">
        {line ? (
          <>
            {reasonText({ login_status: 'Failed', reason: line.reason })}{' '}
            <Link to={toLine(line.id)}>Show the attempt</Link>
          </>
        ) : (
          'Not in the list below, because the request failed before the person was known.'
        )}
      </Fact>
    </Facts>
  );
}
