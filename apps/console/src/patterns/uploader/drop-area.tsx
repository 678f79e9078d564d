import { Button } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { IconCloudUpload } from '@tabler/icons-react';
import { useRef } from 'react';
import { anyOf } from '../format/format.ts';
import classes from './drop-area.module.css';

type DropAreaProps = {
  multiple: boolean;
  types: readonly string[];
  /** For example '100 MB'. */
  limit: string;
  disabled: boolean;
  onFiles: (files: readonly File[]) => void;
};

const kinds: Record<string, string> = {
  'image/*': 'Images',
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'image/gif': 'GIF',
  'image/svg+xml': 'SVG',
};

/** An area to drop files on, with a button to choose files. The caller decides which files it accepts. */
export function DropArea({ multiple, types, limit, disabled, onFiles }: DropAreaProps) {
  const open = useRef<() => void>(null);
  return (
    <Dropzone
      unstyled
      className={classes.area ?? ''}
      role="group"
      aria-label="Drop area"
      tabIndex={undefined}
      activateOnClick={false}
      activateOnKeyboard={false}
      enablePointerEvents
      disabled={disabled}
      openRef={open}
      inputProps={{ multiple, accept: types.join(','), 'aria-label': multiple ? 'Files' : 'File' }}
      onDrop={onFiles}
    >
      <div className={classes.words}>
        <span className={classes.icon} aria-hidden="true">
          <IconCloudUpload size={30} stroke={1.5} />
        </span>
        <p className={classes.title}>{multiple ? 'Drop images here' : 'Drop an image here'}</p>
        <Button variant="default" disabled={disabled} onClick={() => open.current?.()}>
          {multiple ? 'Select files' : 'Select a file'}
        </Button>
        <p className={classes.hint}>
          {anyOf(types.map((type) => kinds[type] ?? type))}, at most {limit}
        </p>
      </div>
    </Dropzone>
  );
}
