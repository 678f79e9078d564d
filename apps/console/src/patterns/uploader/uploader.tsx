import { Button } from '@mantine/core';
import { useState } from 'react';
import { showFault } from '../toast/show-fault.tsx';
import { showSuccess } from '../toast/show-success.tsx';
import { DropArea } from './drop-area.tsx';
import { UploadList } from './upload-list.tsx';
import { faultOf, isImage, megabytes, type UploadRules } from './upload-rules.ts';
import classes from './uploader.module.css';
import { type Upload, useUploads } from './use-uploads.ts';

type UploaderProps = Partial<UploadRules> & {
  upload: Upload;
  multiple?: boolean;
  /** Whether files are sent as soon as they are added, without the button. */
  startsAtOnce?: boolean;
  onBusyChange?: (busy: boolean) => void;
  /** Called after all files have been uploaded. */
  onDone: () => void;
};

/** §9: the default limit of the uploader. */
const defaultMaximumBytes = 2 * 1024 * 1024;

type Refused = { name: string; fault: string };

/** §2.15, Uploader. */
export function Uploader(props: UploaderProps) {
  const {
    upload,
    multiple = false,
    startsAtOnce = false,
    maximumBytes = defaultMaximumBytes,
    types,
    onBusyChange,
  } = props;
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const uploads = useUploads({
    upload,
    multiple,
    onDone: () => {
      showSuccess('File uploaded successfully');
      props.onDone();
    },
  });

  const { entries, isRunning } = uploads;
  const handleStart = async () => {
    // Files that are added during an upload join it.
    if (isRunning) return;
    onBusyChange?.(true);
    await uploads.start();
    onBusyChange?.(false);
  };
  const handleFiles = (files: readonly File[]) => {
    const looked = files.map((file) => ({ file, fault: faultOf(file, { maximumBytes, types }) }));
    setRefused(looked.flatMap(({ file, fault }) => (fault ? [{ name: file.name, fault }] : [])));
    const fitting = looked.flatMap(({ file, fault }) => (fault ? [] : [file]));
    const images = fitting.filter(isImage);
    if (!files.every(isImage)) showFault('Some selected files are not images.');
    uploads.add(images);
    if (startsAtOnce && images.length > 0) void handleStart();
  };

  const hasFailed = entries.some(({ status }) => status === 'Failed');
  const canStart = !isRunning && entries.some(({ status }) => status === 'Pending' || status === 'Failed');
  return (
    <div className={classes.uploader}>
      <DropArea
        multiple={multiple}
        types={types ?? ['image/*']}
        limit={megabytes(maximumBytes)}
        disabled={isRunning && !multiple}
        onFiles={handleFiles}
      />
      <div className={classes.faults} role="alert">
        {refused.map(({ name, fault }, index) => (
          <p key={`${index} ${name}`}>
            <strong>{name}</strong>
            <span>{fault}</span>
          </p>
        ))}
      </div>
      <UploadList entries={entries} onRemove={uploads.remove} />
      {canStart && (
        <Button className={classes.start ?? ''} onClick={() => void handleStart()}>
          {hasFailed ? 'Try again' : 'Upload'}
        </Button>
      )}
    </div>
  );
}
