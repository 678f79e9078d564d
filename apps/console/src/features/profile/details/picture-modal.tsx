import { imageTypes, profilePictureUpload } from '@opensocial/contract';
import { useState } from 'react';
import { useSessionUser } from '../../../api/session/session.ts';
import { Dialog } from '../../../patterns/dialog/dialog.tsx';
import { Uploader } from '../../../patterns/uploader/uploader.tsx';
import { sendPicture } from './profile.api.ts';

type PictureModalProps = { onClose: () => void };

/** §2.5: the uploader of the profile picture, one file of at most 5 MB. */
export function PictureModal({ onClose }: PictureModalProps) {
  const user = useSessionUser();
  const [busy, setBusy] = useState(false);
  return (
    <Dialog onClose={onClose} title="Change the picture" size={520} closeOnClickOutside={!busy}>
      <Uploader
        types={imageTypes}
        maximumBytes={profilePictureUpload.maximumBytes}
        upload={(file, onProgress, signal) => sendPicture(user, file, onProgress, signal)}
        onBusyChange={setBusy}
        onDone={onClose}
      />
    </Dialog>
  );
}
