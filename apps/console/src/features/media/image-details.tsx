import { Button, Textarea, TextInput } from '@mantine/core';
import type { Image, ImageChanges } from '@opensocial/contract';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { errorFieldText } from '../../api/transport/error-text.ts';
import { ImagePlate } from '../../patterns/image-plate/image-plate.tsx';
import { CopyLink } from './copy-link.tsx';
import classes from './image-details.module.css';
import { ImageFacts } from './image-facts.tsx';
import { imageName } from './image-thumbnail.tsx';
import type { MediaLibrary } from './media.api.ts';
import { RemoveImageDialog } from './remove-image-dialog.tsx';
import { useImageEdits } from './use-image-edits.ts';

type ImageDetailsProps = {
  library: MediaLibrary;
  image: Image;
  onRemoved: () => void;
  onConfirming: (confirming: boolean) => void;
};

/** §2.15, the detail side panel. Edits are saved automatically. */
export function ImageDetails({ library, image, onRemoved, onConfirming }: ImageDetailsProps) {
  const { values, change, saveNow, isSaved, error } = useImageEdits(library, image);
  const [open, setOpen] = useState(false);
  const [removing, setRemoving] = useState(false);
  const ask = (confirming: boolean) => {
    setRemoving(confirming);
    onConfirming(confirming);
  };
  const handleRemoved = () => {
    ask(false);
    onRemoved();
  };
  const field = (name: keyof ImageChanges) => ({
    value: values[name],
    onChange: (event: { currentTarget: { value: string } }) => change(name, event.currentTarget.value),
    onBlur: saveNow,
  });
  return (
    <div className={classes.details} data-open={open || undefined}>
      <div className={classes.state}>
        <span role="status">{isSaved && !error && 'Saved.'}</span>
        <span role="alert">{error && errorFieldText(error)}</span>
      </div>
      <div className={classes.head}>
        <div className={classes.plate}>
          <ImagePlate address={image.thumbnail} />
        </div>
        <div className={classes.words}>
          <h3 className={classes.name}>{imageName(image)}</h3>
          <p className={classes.brief}>
            {image.width} × {image.height}
          </p>
        </div>
        <button type="button" className={classes.more} aria-expanded={open} onClick={() => setOpen(!open)}>
          Details
          <IconChevronDown size={16} aria-hidden="true" />
        </button>
      </div>
      <div className={classes.rest}>
        <ImageFacts image={image} />
        <TextInput
          label="Alt text"
          description="Screen readers read this text instead of the image."
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          maxLength={500}
          {...field('alt_text')}
        />
        <TextInput label="Title" maxLength={200} {...field('title')} />
        <Textarea label="Caption" rows={2} maxLength={1_000} {...field('caption')} />
        <Textarea label="Description" rows={2} maxLength={5_000} {...field('description')} />
        <div className={classes.actions}>
          <CopyLink address={image.url} />
          <Button variant="subtle" color="red" size="sm" onClick={() => ask(true)}>
            Delete Permanently
          </Button>
        </div>
      </div>
      {removing && (
        <RemoveImageDialog library={library} image={image} onRemoved={handleRemoved} onCancel={() => ask(false)} />
      )}
    </div>
  );
}
