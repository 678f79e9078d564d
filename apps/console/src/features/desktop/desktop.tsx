import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { DesktopSections, SessionUser } from '@opensocial/contract';
import { IconLayoutList } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useRef, useState } from 'react';
import { isAdmin, roleQuery } from '../../api/session/role.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { ErrorPanel } from '../../patterns/error-panel/error-panel.tsx';
import { countOf, formatNumber } from '../../patterns/format/format.ts';
import { PageHeading } from '../../patterns/page/page-heading.tsx';
import { SearchField } from '../../patterns/search-field/search-field.tsx';
import { AppGridSkeleton } from './app-grid.tsx';
import { AppSections } from './app-sections.tsx';
import { desktopAppsQuery } from './desktop.api.ts';
import classes from './desktop.module.css';
import { chooseFavourite, collapseSection, desktopSectionsQuery } from './desktop-sections.api.ts';
import type { Favourites } from './favourite-star.tsx';
import { greetingFor } from './greeting.ts';
import { appsNamed } from './name-filter.ts';
import { NoApps } from './no-apps.tsx';
import { sectionsOf } from './sections.ts';

/** Only owners see it. */
const GettingStarted = lazy(async () => ({
  default: (await import('./getting-started/getting-started.tsx')).GettingStarted,
}));

const loadArrange = () => import('./arrange/arrange-dialog.tsx');
const ArrangeDialog = lazy(async () => ({ default: (await loadArrange()).ArrangeDialog }));

type DesktopProps = { user: SessionUser; network: NetworkRef };

export function Desktop({ user, network }: DesktopProps) {
  const apps = useQuery(desktopAppsQuery(user, network));
  const personal = useQuery(desktopSectionsQuery(network));
  const favourites = useFavourites(network, personal.data);
  const collapsing = useMutation(collapseSection(network));
  const [isArranging, arranging] = useDisclosure();
  const administers = isAdmin(useQuery(roleQuery(network.name)).data);
  const [search, setSearch] = useState('');
  const [openedAt] = useState(() => new Date());
  const grid = useRef<HTMLDivElement>(null);
  const firstTile = () => grid.current?.querySelector('a');
  const found = appsNamed(search, apps.data ?? []);
  const isSearching = search.trim() !== '';
  // The tiles would move if the sections came later.
  const isLoading = apps.isPending || (apps.isSuccess && personal.isPending);

  return (
    <>
      <PageHeading eyebrow={network.name} title={greetingFor(user.name, openedAt)}>
        <div className={classes.tools}>
          <SearchField
            label="Search apps"
            value={search}
            onChange={setSearch}
            onEnter={() => isSearching && firstTile()?.click()}
            onArrowDown={() => firstTile()?.focus()}
          />
          {personal.data && apps.data && apps.data.length > 0 && (
            <Button
              variant="default"
              leftSection={<IconLayoutList size={17} stroke={1.8} aria-hidden="true" />}
              onPointerEnter={() => void loadArrange()}
              onClick={arranging.open}
            >
              Arrange
            </Button>
          )}
        </div>
      </PageHeading>
      {administers && (
        <Suspense>
          <GettingStarted network={network.name} />
        </Suspense>
      )}
      {isLoading && <AppGridSkeleton />}
      {apps.isLoadingError && <ErrorPanel onRetry={apps.refetch} retrying={apps.isFetching} />}
      {apps.data && !isLoading && found.length > 0 && (
        <AppSections
          ref={grid}
          sections={sectionsOf(found, isSearching ? undefined : personal.data)}
          favourites={favourites}
          marksFirst={isSearching}
          onCollapse={collapsing.mutate}
        />
      )}
      {apps.data && !isLoading && found.length === 0 && (
        <NoApps
          network={network.name}
          administers={administers}
          search={search.trim()}
          onClearSearch={() => setSearch('')}
        />
      )}
      {isArranging && personal.data && apps.data && (
        <Suspense>
          <ArrangeDialog network={network} apps={apps.data} arranged={personal.data} onClose={arranging.close} />
        </Suspense>
      )}
      <p className="visually-hidden" role="status">
        {apps.data && isSearching && `${formatNumber(found.length)} of ${countOf(apps.data.length, 'app', 'apps')}`}
      </p>
    </>
  );
}

/** Undefined until it is known which apps are favourites. */
const useFavourites = (network: NetworkRef, personal: DesktopSections | undefined): Favourites | undefined => {
  const { mutate } = useMutation(chooseFavourite(network));
  return personal && { ids: new Set(personal.favourites), onChoose: mutate };
};
