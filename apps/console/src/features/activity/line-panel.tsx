import { ApiError } from '@opensocial/contract';
import { IconCircleCheck, IconCircleX, IconFileUnknown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { useSelectedNetwork } from '../../api/session.ts';
import { ErrorPanel } from '../../patterns/error-panel/error-panel.tsx';
import { FactsSkeleton } from '../../patterns/facts/facts.tsx';
import { Notice } from '../../patterns/notice/notice.tsx';
import { SidePanel } from '../../patterns/side-panel/side-panel.tsx';
import { StateDot } from '../../patterns/state-mark/state-mark.tsx';
import { lineQuery } from './activity.api.ts';
import { toActivity } from './activity.routes.tsx';
import { LineFacts } from './line-facts.tsx';

/** Also where the address holds no id. */
const isGone = (error: Error | null): boolean => error instanceof ApiError && [400, 404].includes(error.status);

/** One attempt to sign in, with all that is known of it. */
export function LinePanel() {
  const network = useSelectedNetwork();
  const { data: line, ...query } = useQuery(lineQuery(network, Number(useParams()['line_id'])));
  const isSuccess = line?.login_status === 'Success';
  const PlateIcon = isSuccess ? IconCircleCheck : IconCircleX;
  return (
    <SidePanel
      closeTo={toActivity()}
      plate={line && <PlateIcon size={24} stroke={1.7} />}
      name={line?.site ?? 'Sign-in'}
      state={line && <StateDot tone={isSuccess ? 'good' : 'bad'}>{line.login_status}</StateDot>}
    >
      {query.isPending && <FactsSkeleton label="Loading the line" lines={8} />}
      {line && <LineFacts line={line} network={network} />}
      {query.isLoadingError &&
        (isGone(query.error) ? (
          <Notice icon={<IconFileUnknown />} title="This line is not in the log">
            It is older than what is kept, or belongs to another network than {network.name}.
          </Notice>
        ) : (
          <ErrorPanel onRetry={query.refetch} retrying={query.isFetching} />
        ))}
    </SidePanel>
  );
}
