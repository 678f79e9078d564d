import { CloseButton } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconPhoto } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { fileSize } from '../file-size/file-size.ts';
import classes from './upload-list.module.css';
import type { UploadEntry } from './use-uploads.ts';

type UploadListProps = { entries: readonly UploadEntry[]; onRemove: (id: number) => void };

const icons = { Pending: IconPhoto, Uploading: IconPhoto, Completed: IconCircleCheck, Failed: IconCircleX };

export function UploadList({ entries, onRemove }: UploadListProps) {
  if (entries.length === 0) return null;
  return (
    <ul className={classes.list} aria-label="Files to upload">
      {entries.map((entry) => (
        <UploadRow key={entry.id} entry={entry} onRemove={() => onRemove(entry.id)} />
      ))}
    </ul>
  );
}

type UploadRowProps = { entry: UploadEntry; onRemove: () => void };

function UploadRow({ entry: { file, status, percent, error }, onRemove }: UploadRowProps) {
  const StatusIcon = icons[status];
  const row = useRef<HTMLLIElement>(null);
  // Scrolls to the failed file, which could be hidden below the others.
  useEffect(() => {
    if (status === 'Failed') row.current?.scrollIntoView({ block: 'center' });
  }, [status]);
  return (
    <li ref={row} className={classes.row} data-status={status}>
      <StatusIcon className={classes.icon} size={20} stroke={1.7} aria-hidden="true" />
      <div className={classes.words}>
        <p className={classes.name} title={file.name}>
          {file.name}
        </p>
        <p className={classes.state}>
          <span>{fileSize(file.size)}</span>
          <span role="status">{status}</span>
          {status === 'Uploading' && <span>{percent} %</span>}
        </p>
        {status === 'Uploading' && <progress aria-label={`Uploading ${file.name}`} max={100} value={percent} />}
        {error && (
          <p className={classes.error} role="alert">
            {error}
          </p>
        )}
      </div>
      {(status === 'Pending' || status === 'Failed') && (
        <CloseButton aria-label={`Remove ${file.name}`} onClick={onRemove} />
      )}
    </li>
  );
}
