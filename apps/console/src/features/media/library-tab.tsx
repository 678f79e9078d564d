import { NativeSelect } from '@mantine/core';
import type { Image } from '@opensocial/contract';
import { useEffect, useRef } from 'react';
import { ChoiceGrid } from '../../patterns/choice-grid/choice-grid.tsx';
import { ErrorPanel } from '../../patterns/error-panel/error-panel.tsx';
import { formatNumber } from '../../patterns/format/format.ts';
import { formatTotal } from '../../patterns/format/format-total.ts';
import { LibraryBody, LibraryCount } from '../../patterns/library-modal/library-modal.tsx';
import { useListRows } from '../../patterns/record-list/model/use-list-rows.ts';
import { useSearchText } from '../../patterns/record-list/model/use-search-text.ts';
import { SearchField } from '../../patterns/search-field/search-field.tsx';
import { ImageDetails } from './image-details.tsx';
import { ImageThumbnail, imageName } from './image-thumbnail.tsx';
import classes from './library-tab.module.css';
import { imagesQuery, type MediaLibrary } from './media.api.ts';
import { NoImages } from './no-images.tsx';

type LibraryTabProps = {
  library: MediaLibrary;
  search: string;
  selected: Image | undefined;
  onSearch: (search: string) => void;
  onSelect: (image: Image | undefined) => void;
  onConfirm: (image: Image) => void;
  onUpload: () => void;
  /** Whether a dialog is open above the library. */
  onConfirming: (confirming: boolean) => void;
};

const cell = { width: 128, extra: 30, gap: 12 };

/** §2.15: the only date filters. */
const dates = ['All dates'];

export function LibraryTab(props: LibraryTabProps) {
  const { library, search, selected, onSearch, onSelect, onConfirm } = props;
  const loaded = useListRows(imagesQuery(library, search));
  const [text, setText] = useSearchText(search, onSearch);
  const isEmpty = !loaded.isPending && !loaded.isError && loaded.rows.length === 0 && !loaded.hasMore;
  const bar = (
    <>
      <SearchField label="Search images" value={text} onChange={setText} />
      <NativeSelect className={classes.dates ?? ''} size="md" aria-label="Date" data={dates} />
      <LibraryCount>
        {!loaded.isPending && !loaded.isError && `${formatNumber(loaded.rows.length)} of ${formatTotal(loaded)} images`}
      </LibraryCount>
    </>
  );
  const frame = useRef<HTMLDivElement>(null);
  const removed = useRef(false);
  const handleRemoved = () => {
    removed.current = true;
    onSelect(undefined);
  };
  // The delete button disappeared with its image, so the focus moves to the remaining images.
  useEffect(() => {
    if (!removed.current) return;
    removed.current = false;
    const next = frame.current?.querySelector<HTMLElement>('[role="option"][tabindex="0"]');
    (next ?? frame.current?.querySelector('input'))?.focus();
  });
  const detail = selected && (
    <ImageDetails
      key={selected.id}
      library={library}
      image={selected}
      onRemoved={handleRemoved}
      onConfirming={props.onConfirming}
    />
  );
  return (
    <LibraryBody ref={frame} bar={bar} detail={detail} hint="Select an image to see its details.">
      {loaded.isError && <ErrorPanel onRetry={loaded.retry} retrying={loaded.isRetrying} />}
      {isEmpty && (
        <NoImages library={library} search={search} onShowAll={() => onSearch('')} onUpload={props.onUpload} />
      )}
      {!loaded.isError && !isEmpty && (
        <ChoiceGrid
          key={search}
          label="Images"
          loaded={loaded}
          cell={cell}
          nameOf={imageName}
          face={thumbnailOf}
          selected={selected?.id}
          onSelect={onSelect}
          onConfirm={onConfirm}
        />
      )}
    </LibraryBody>
  );
}

const thumbnailOf = (image: Image) => <ImageThumbnail image={image} />;
