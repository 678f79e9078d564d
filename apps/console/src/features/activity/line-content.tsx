import { ApiError } from '@opensocial/contract';
import { IconFileUnknown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { ErrorPanel } from '../../patterns/error-panel/error-panel.tsx';
import { FactsSkeleton } from '../../patterns/facts/facts.tsx';
import { Notice } from '../../patterns/notice/notice.tsx';
import { lineQuery } from './activity.api.ts';
import { LineFacts } from './line-facts.tsx';

/** Also shown if the address contains no valid id. */
const isGone = (error: Error | null): boolean => error instanceof ApiError && [400, 404].includes(error.status);

type LineContentProps = { network: NetworkRef; lineId: number };

/** The details of a log line, with its loading, missing and error states. */
export function LineContent({ network, lineId }: LineContentProps) {
  const { data: line, ...query } = useQuery(lineQuery(network, lineId));
  if (line) return <LineFacts line={line} network={network} />;
  if (query.isPending) return <FactsSkeleton label="Loading the sign-in" lines={8} />;
  if (!isGone(query.error)) return <ErrorPanel onRetry={query.refetch} retrying={query.isFetching} />;
  return (
    <Notice icon={<IconFileUnknown />} title="This sign-in is not in the log">
      It is older than the retention period, or it belongs to a network other than {network.name}.
    </Notice>
  );
}
