import { ApiError, type Image, type Removed } from '@opensocial/contract';
import { useMutation } from '@tanstack/react-query';
import { errorText } from '../../api/transport/error-text.ts';
import { ConfirmDialog } from '../../patterns/confirm/confirm-dialog.tsx';
import { offerUndo } from '../../patterns/toast/offer-undo.tsx';
import { showError } from '../../patterns/toast/show-error.tsx';
import { deleteImage, type MediaLibrary } from './media.api.ts';
import classes from './remove-image-dialog.module.css';

type RemoveImageDialogProps = { library: MediaLibrary; image: Image; onRemoved: () => void; onCancel: () => void };

const isInUse = (error: Error | null): boolean => error instanceof ApiError && error.code === 'image_in_use';

/** §2.15, the delete confirmation. For an image in use it lists the uses and asks a second time. */
export function RemoveImageDialog({ library, image, onRemoved, onCancel }: RemoveImageDialogProps) {
  const removing = useMutation(deleteImage(library));
  const inUse = isInUse(removing.error) || (removing.variables?.force ?? false);
  const handleError = (error: Error) => {
    if (!isInUse(error)) showError(error);
  };
  const handleRemoved = ({ trash_id }: Removed) => {
    onRemoved();
    offerUndo(
      { name: library.network },
      {
        ids: trash_id === null ? [] : [trash_id],
        message: `${image.title || image.name} was deleted.`,
      },
    );
  };
  return (
    <ConfirmDialog
      title="Delete Permanently"
      text="You are about to permanently delete this item from your site: This action cannot be undone."
      action={inUse ? 'Delete anyway' : 'Delete'}
      danger
      busy={removing.isPending}
      onConfirm={() => removing.mutate({ image, force: inUse }, { onSuccess: handleRemoved, onError: handleError })}
      onCancel={onCancel}
    >
      {isInUse(removing.error) && (
        <p className={classes.use} role="alert">
          {errorText(removing.error)}
        </p>
      )}
    </ConfirmDialog>
  );
}
