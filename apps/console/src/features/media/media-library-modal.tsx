import { Button, Tabs } from '@mantine/core';
import type { Image } from '@opensocial/contract';
import { useMemo, useState } from 'react';
import type { ImageRequest } from '../../patterns/libraries/libraries.ts';
import { LibraryFooter, LibraryModal } from '../../patterns/library-modal/library-modal.tsx';
import { LibraryTab } from './library-tab.tsx';
import classes from './media-library-modal.module.css';
import { UploadTab } from './upload-tab.tsx';
import { useSelectedImage } from './use-selected-image.ts';

type MediaLibraryModalProps = ImageRequest & { onChoose: (image: Image) => void; onCancel: () => void };

type Tab = 'library' | 'upload';

const titles = { image: 'Choose an image', icon: 'Choose an icon picture' };

/** §2.15, media library modal. */
export function MediaLibraryModal({ network, kind, chosen, onChoose, onCancel }: MediaLibraryModalProps) {
  const library = useMemo(() => ({ network, kind }), [network, kind]);
  const [tab, setTab] = useState<Tab>('library');
  const [search, setSearch] = useState('');
  const [selected, select] = useSelectedImage(library, chosen);
  const [uploading, setUploading] = useState(false);
  const [confirming, setConfirming] = useState(false);
  const handleUploaded = () => {
    setSearch('');
    setTab('library');
  };
  return (
    <LibraryModal title={titles[kind]} busy={uploading || confirming} onClose={onCancel}>
      <Tabs
        unstyled
        value={tab}
        onChange={(next) => setTab(next as Tab)}
        // The tab stays mounted, so that an upload continues while the other tab is shown.
        keepMountedMode="display-none"
        classNames={{ root: classes.tabs, list: classes.list, tab: classes.tab, panel: classes.panel }}
      >
        <Tabs.List aria-label="Image source">
          <Tabs.Tab value="library">Media Library</Tabs.Tab>
          <Tabs.Tab value="upload">Upload Files</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="library">
          <LibraryTab
            library={library}
            search={search}
            selected={selected}
            onSearch={setSearch}
            onSelect={select}
            onConfirm={onChoose}
            onUpload={() => setTab('upload')}
            onConfirming={setConfirming}
          />
        </Tabs.Panel>
        <Tabs.Panel value="upload">
          <UploadTab library={library} onUploaded={select} onBusyChange={setUploading} onDone={handleUploaded} />
        </Tabs.Panel>
      </Tabs>
      <LibraryFooter>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button disabled={!selected} onClick={() => selected && onChoose(selected)}>
          Use this image
        </Button>
      </LibraryFooter>
    </LibraryModal>
  );
}
