import { type Image, imageTypes, imageUpload } from '@opensocial/contract';
import { Uploader } from '../../patterns/uploader/uploader.tsx';
import { addImage, type MediaLibrary } from './media.api.ts';
import classes from './upload-tab.module.css';

type UploadTabProps = {
  library: MediaLibrary;
  onUploaded: (image: Image) => void;
  onBusyChange: (busy: boolean) => void;
  onDone: () => void;
};

export function UploadTab({ library, onUploaded, onBusyChange, onDone }: UploadTabProps) {
  return (
    <div className={classes.tab}>
      <Uploader
        multiple
        startsAtOnce
        types={imageTypes}
        maximumBytes={imageUpload.maximumBytes}
        upload={async (file, onProgress, signal) => onUploaded(await addImage(library, file, onProgress, signal))}
        onBusyChange={onBusyChange}
        onDone={onDone}
      />
    </div>
  );
}
