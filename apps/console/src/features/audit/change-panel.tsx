import { ApiError } from '@opensocial/contract';
import {
  IconArrowBackUp,
  IconEye,
  IconFileUnknown,
  IconPencil,
  IconPlus,
  IconQuote,
  IconTrash,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createElement } from 'react';
import { useParams } from 'react-router';
import { useSelectedNetwork } from '../../api/session/session.ts';
import { ErrorPanel } from '../../patterns/error-panel/error-panel.tsx';
import { FactsSkeleton } from '../../patterns/facts/facts.tsx';
import { Notice } from '../../patterns/notice/notice.tsx';
import { SidePanel } from '../../patterns/side-panel/side-panel.tsx';
import { changeQuery } from './audit.api.ts';
import { toChanges } from './audit.links.ts';
import { ChangeFacts } from './change-facts.tsx';
import { objectNames } from './change-text.ts';

const icons = { create: IconPlus, update: IconPencil, delete: IconTrash, restore: IconArrowBackUp, view: IconEye };

const iconOf = (object: string, action: string) =>
  object === 'claim' ? IconQuote : (icons[action as keyof typeof icons] ?? IconPencil);

/** Also shown if the address contains no valid id. */
const isGone = (error: Error | null): boolean => error instanceof ApiError && [400, 404].includes(error.status);

/** The panel of a change with the values before and after. */
export function ChangePanel() {
  const network = useSelectedNetwork();
  const { data: record, ...query } = useQuery(changeQuery(network, Number(useParams()['record_id'])));
  return (
    <SidePanel
      closeTo={toChanges()}
      plate={record && createElement(iconOf(record.object, record.action), { size: 22, stroke: 1.7 })}
      name={record?.title ?? 'Change'}
      state={record && objectNames[record.object]}
    >
      {query.isPending && <FactsSkeleton label="Loading the change" lines={5} />}
      {record && <ChangeFacts record={record} network={network} />}
      {query.isLoadingError &&
        (isGone(query.error) ? (
          <Notice icon={<IconFileUnknown />} title="This change was not found">
            It belongs to a network other than {network.name}.
          </Notice>
        ) : (
          <ErrorPanel onRetry={query.refetch} retrying={query.isFetching} />
        ))}
    </SidePanel>
  );
}
