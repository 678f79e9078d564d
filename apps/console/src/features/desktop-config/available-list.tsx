import { Anchor } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import type { ConfiguredApp } from '@opensocial/contract';
import { IconChecks, IconSearch, IconWorldPlus } from '@tabler/icons-react';
import { type Ref, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { countOf, formatNumber } from '../../patterns/format/format.ts';
import { Notice } from '../../patterns/notice/notice.tsx';
import { effectiveSearch } from '../../patterns/record-list/model/use-list-view.ts';
import { SearchField } from '../../patterns/search-field/search-field.tsx';
import { AppCells, type CellsHandle } from './app-cells.tsx';
import { AvailableRow } from './available-row.tsx';
import classes from './desktop-lists.module.css';

type AvailableListProps = {
  network: NetworkRef;
  apps: readonly ConfiguredApp[];
  /** Whether the desktop is empty, so that this list contains all apps. */
  isDesktopEmpty: boolean;
  dragged: number | undefined;
  isOver: boolean;
  handle: Ref<CellsHandle>;
  onAdd: (id: number) => void;
};

const cell = { width: Number.MAX_SAFE_INTEGER, height: 42, gap: 0, minColumns: 1 };

/** §2.11: Available Apps, by domain. */
export function AvailableList({ network, apps, isDesktopEmpty, dragged, isOver, handle, onAdd }: AvailableListProps) {
  const cells = useRef<CellsHandle>(null);
  const [typed, setTyped] = useState('');
  const search = effectiveSearch(typed).toLowerCase();
  const found = search === '' ? apps : apps.filter(({ domain }) => domain.toLowerCase().includes(search));
  return (
    <section className={`${classes.list} ${classes.rows}`} aria-label="Available Apps" data-over={isOver || undefined}>
      <div className={classes.head}>
        <h2 className={classes.title}>Available Apps</h2>
        <span className={classes.note} role="status">
          {formatNumber(found.length)} of {countOf(apps.length, 'app', 'apps')}
        </span>
      </div>
      <div className={classes.search}>
        <SearchField
          label="Search"
          subject="available apps"
          value={typed}
          onChange={setTyped}
          onArrowDown={() => cells.current?.focusFirst()}
        />
      </div>
      <AppCells
        list="available"
        label="Available Apps"
        apps={found}
        cell={cell}
        dragged={dragged}
        handle={useMergedRef(cells, handle)}
        empty={<NoneAvailable network={network} search={search} isDesktopEmpty={isDesktopEmpty} />}
      >
        {(app, place) => <AvailableRow app={app} place={place} onAdd={onAdd} />}
      </AppCells>
    </section>
  );
}

type NoneAvailableProps = { network: NetworkRef; search: string; isDesktopEmpty: boolean };

const noRecord = 'There is no record in database';

function NoneAvailable({ network, search, isDesktopEmpty }: NoneAvailableProps) {
  if (search !== '')
    return (
      <Notice icon={<IconSearch />} title={noRecord}>
        No available app has “{search}” in its domain.
      </Notice>
    );
  if (!isDesktopEmpty)
    return (
      <Notice icon={<IconChecks />} title={noRecord}>
        Every app of this network is on the desktop.
      </Notice>
    );
  return (
    <Notice icon={<IconWorldPlus />} title={noRecord}>
      This network has no sites yet.{' '}
      <Anchor component={Link} to={`/sso-servers/${network.name}/sites`}>
        Add a site first
      </Anchor>
    </Notice>
  );
}
