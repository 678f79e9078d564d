import type { SessionUser } from '@opensocial/contract';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { ErrorPanel } from '../../patterns/error-panel/error-panel.tsx';
import { PageHeading } from '../../patterns/page/page-heading.tsx';
import { SearchField } from '../../patterns/search-field/search-field.tsx';
import { AppGrid, AppGridSkeleton } from './app-grid.tsx';
import { desktopAppsQuery } from './desktop.api.ts';
import { greetingFor } from './greeting.ts';
import { appsNamed } from './name-filter.ts';
import { NoApps } from './no-apps.tsx';

type DesktopProps = { user: SessionUser; network: NetworkRef };

export function Desktop({ user, network }: DesktopProps) {
  const apps = useQuery(desktopAppsQuery(user, network));
  const [search, setSearch] = useState('');
  const [openedAt] = useState(() => new Date());
  const grid = useRef<HTMLUListElement>(null);
  const firstTile = () => grid.current?.querySelector('a');
  const found = appsNamed(search, apps.data ?? []);

  return (
    <>
      <PageHeading eyebrow={network.name} title={greetingFor(user.name, openedAt)}>
        <SearchField
          label="Search apps"
          value={search}
          onChange={setSearch}
          onEnter={() => search.trim() !== '' && firstTile()?.click()}
          onArrowDown={() => firstTile()?.focus()}
        />
      </PageHeading>
      {apps.isPending && <AppGridSkeleton />}
      {apps.isLoadingError && <ErrorPanel onRetry={apps.refetch} retrying={apps.isFetching} />}
      {apps.data && found.length > 0 && <AppGrid ref={grid} apps={found} marksFirst={search.trim() !== ''} />}
      {apps.data && found.length === 0 && (
        <NoApps network={network.name} search={search.trim()} onClearSearch={() => setSearch('')} />
      )}
      <p className="visually-hidden" role="status">
        {apps.data && search.trim() !== '' && `${found.length} of ${apps.data.length} apps`}
      </p>
    </>
  );
}
