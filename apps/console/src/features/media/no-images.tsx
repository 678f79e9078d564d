import { Button } from '@mantine/core';
import { IconPhotoPlus } from '@tabler/icons-react';
import { Notice } from '../../patterns/notice/notice.tsx';
import { EmptyList } from '../../patterns/record-list/empty-list.tsx';
import type { MediaLibrary } from './media.api.ts';

type NoImagesProps = { library: MediaLibrary; search: string; onShowAll: () => void; onUpload: () => void };

const text = 'There is no record in database';

export function NoImages({ library: { network, kind }, search, onShowAll, onUpload }: NoImagesProps) {
  if (search !== '') return <EmptyList text={text} hint="" search={search} filtered={false} onShowAll={onShowAll} />;
  return (
    <Notice icon={<IconPhotoPlus />} title={text} action={<Button onClick={onUpload}>Upload images</Button>}>
      {kind === 'image'
        ? `Uploaded logos and backgrounds of ${network} appear here.`
        : `Uploaded tile pictures of ${network} appear here.`}
    </Notice>
  );
}
