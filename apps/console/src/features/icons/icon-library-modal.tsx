import { Button } from '@mantine/core';
import type { Icon } from '@opensocial/contract';
import { useState } from 'react';
import { ChoiceGrid } from '../../patterns/choice-grid/choice-grid.tsx';
import { ErrorPanel } from '../../patterns/error-panel/error-panel.tsx';
import { formatNumber } from '../../patterns/format/format.ts';
import { formatTotal } from '../../patterns/format/format-total.ts';
import { LibraryBody, LibraryFooter, LibraryModal } from '../../patterns/library-modal/library-modal.tsx';
import { EmptyList } from '../../patterns/record-list/empty-list.tsx';
import { useListRows } from '../../patterns/record-list/model/use-list-rows.ts';
import { IconBar } from './icon-bar.tsx';
import { IconCredits } from './icon-credits.tsx';
import { IconDetails } from './icon-details.tsx';
import { IconFace } from './icon-face.tsx';
import { type IconView, iconsQuery } from './icons.api.ts';

type IconLibraryModalProps = { onChoose: (icon: Icon) => void; onCancel: () => void };

const cell = { width: 92, height: 92, gap: 10 };

const everything: IconView = { search: '' };

/** §2.15, icon library modal. */
export function IconLibraryModal({ onChoose, onCancel }: IconLibraryModalProps) {
  const [view, setView] = useState(everything);
  const [selected, setSelected] = useState<Icon>();
  const loaded = useListRows(iconsQuery(view));
  const isEmpty = !loaded.isPending && !loaded.isError && loaded.rows.length === 0 && !loaded.hasMore;
  const isReady = !loaded.isPending && !loaded.isError;
  const bar = (
    <IconBar
      view={view}
      onChange={setView}
      count={isReady ? `${formatNumber(loaded.rows.length)} of ${formatTotal(loaded)} icons` : undefined}
    />
  );
  return (
    <LibraryModal title="Choose an icon" onClose={onCancel}>
      <LibraryBody
        bar={bar}
        detail={selected && <IconDetails icon={selected} />}
        hint="Select an icon to see a larger view."
      >
        {loaded.isError && <ErrorPanel onRetry={loaded.retry} retrying={loaded.isRetrying} />}
        {isEmpty && (
          <EmptyList
            text="There is no record in database"
            hint="The icon library is empty."
            search={view.search}
            filtered={view.style !== undefined || view.category !== undefined}
            onShowAll={() => setView(everything)}
          />
        )}
        {!loaded.isError && !isEmpty && (
          <ChoiceGrid
            key={JSON.stringify(view)}
            label="Icons"
            loaded={loaded}
            cell={cell}
            nameOf={nameOf}
            face={faceOf}
            selected={selected?.id}
            onSelect={setSelected}
            onConfirm={onChoose}
          />
        )}
      </LibraryBody>
      <LibraryFooter note={<IconCredits />}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button disabled={!selected} onClick={() => selected && onChoose(selected)}>
          Use this icon
        </Button>
      </LibraryFooter>
    </LibraryModal>
  );
}

const nameOf = ({ name, font_type }: Icon): string => `${name}, ${font_type}`;
const faceOf = (icon: Icon) => <IconFace icon={icon} />;
