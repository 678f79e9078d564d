import { useMediaQuery } from '@mantine/hooks';
import type { ConfiguredApp } from '@opensocial/contract';
import { IconApps } from '@tabler/icons-react';
import type { MutationStatus } from '@tanstack/react-query';
import type { Ref } from 'react';
import { countOf } from '../../patterns/format/format.ts';
import { Notice } from '../../patterns/notice/notice.tsx';
import { AppCells, type CellsHandle } from './app-cells.tsx';
import classes from './desktop-lists.module.css';
import { DesktopTile } from './desktop-tile.tsx';

type TileListProps = {
  apps: readonly ConfiguredApp[];
  dragged: number | undefined;
  opened: number | undefined;
  isOver: boolean;
  saving: MutationStatus;
  handle: Ref<CellsHandle>;
  onOpen: (id: number) => void;
  onRemove: (id: number) => void;
};

/** The same value as --tile-height in the stylesheet. */
const wide = { width: 128, height: 150, gap: 14, overscan: 1 };
const narrow = { width: 100, height: 118, gap: 10, overscan: 1 };

const savingTexts: Record<MutationStatus, string> = {
  idle: '',
  pending: 'Saving…',
  success: 'Saved',
  error: 'Not saved',
};

/** §2.11: Desktop Apps, as icon tiles. */
export function TileList({ apps, dragged, opened, isOver, saving, handle, onOpen, onRemove }: TileListProps) {
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  return (
    <section className={`${classes.list} ${classes.tiles}`} aria-label="Desktop Apps" data-over={isOver || undefined}>
      <div className={classes.head}>
        <h2 className={classes.title}>Desktop Apps</h2>
        <span className={classes.note}>
          <span className={classes.saving} role="status">
            {savingTexts[saving]}
          </span>
          {countOf(apps.length, 'app', 'apps')}
        </span>
      </div>
      <AppCells
        list="desktop"
        label="Desktop Apps"
        apps={apps}
        cell={isPhone ? narrow : wide}
        dragged={dragged}
        opened={opened}
        handle={handle}
        empty={
          <Notice icon={<IconApps />} title="There is no record in database">
            Drag an app here, or press the plus button beside it, to show it to users.
          </Notice>
        }
      >
        {(app, place) => <DesktopTile app={app} place={place} onOpen={onOpen} onRemove={onRemove} />}
      </AppCells>
    </section>
  );
}
