import { useEffect, useRef, useState } from 'react';
import { errorText } from '../../api/transport/error-text.ts';

type UploadStatus = 'Pending' | 'Uploading' | 'Completed' | 'Failed';

export type UploadEntry = { id: number; file: File; status: UploadStatus; percent: number; error?: string };

/** Sends one file and reports the progress. */
export type Upload = (file: File, onProgress: (percent: number) => void, signal: AbortSignal) => Promise<unknown>;

type UploadsParts = {
  upload: Upload;
  /** Whether several files can be uploaded. Otherwise a new file replaces the previous one. */
  multiple: boolean;
  onDone: () => void;
};

const isSame = (one: File, other: File): boolean => one.name === other.name && one.size === other.size;

const none: readonly UploadEntry[] = [];

let made = 0;
const toEntry = (file: File): UploadEntry => {
  made += 1;
  return { id: made, file, status: 'Pending', percent: 0 };
};

/** §4, Upload: sends the files one after the other and stops at a failure. When all have succeeded, the list is emptied. */
export const useUploads = ({ upload, multiple, onDone }: UploadsParts) => {
  // Files may be added during an upload, so the loop reads the current list from the ref.
  const latest = useRef(none);
  const [entries, setEntries] = useState(none);
  const [running, setRunning] = useState<AbortController>();
  useEffect(() => () => running?.abort(), [running]);

  const set = (next: readonly UploadEntry[]) => {
    latest.current = next;
    setEntries(next);
  };
  const change = (id: number, changes: Partial<UploadEntry>) =>
    set(latest.current.map((entry) => (entry.id === id ? { ...entry, ...changes } : entry)));

  const finish = () => {
    set(none);
    onDone();
  };

  const send = async ({ id, file }: UploadEntry, signal: AbortSignal): Promise<boolean> => {
    change(id, { status: 'Uploading' });
    try {
      await upload(file, (percent) => change(id, { percent }), signal);
      change(id, { status: 'Completed', percent: 100 });
      return true;
    } catch (error) {
      change(id, { status: 'Failed', percent: 0, error: errorText(error) });
      return false;
    }
  };

  const start = async (): Promise<void> => {
    if (running) return;
    const controller = new AbortController();
    setRunning(controller);
    set(latest.current.map((entry) => (entry.status === 'Failed' ? toEntry(entry.file) : entry)));
    let next = latest.current.find(({ status }) => status === 'Pending');
    // oxlint-disable-next-line no-await-in-loop -- uploads are sequential by design
    while (next && (await send(next, controller.signal)))
      next = latest.current.find(({ status }) => status === 'Pending');
    setRunning(undefined);
    if (!next && !controller.signal.aborted) finish();
  };

  return {
    entries,
    isRunning: running !== undefined,
    start,
    add: (files: readonly File[]) => {
      if (running && !multiple) return;
      const known = multiple ? latest.current : [];
      const fresh = files.filter(
        (file, index) =>
          !known.some((entry) => isSame(entry.file, file)) && files.findIndex((one) => isSame(one, file)) === index,
      );
      set([...known, ...(multiple ? fresh : fresh.slice(0, 1)).map(toEntry)]);
    },
    remove: (id: number) => {
      set(latest.current.filter((entry) => entry.id !== id));
      if (latest.current.length > 0 && latest.current.every(({ status }) => status === 'Completed')) finish();
    },
  };
};
