import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { redrawProgram } from '../places.ts';
import type { PictureType } from './picture-type.ts';
import { createSerialQueue } from './serial-queue.ts';

export type RasterType = Exclude<PictureType, 'svg'>;
export type Raster = { size: number; width: number; height: number };

const program = fileURLToPath(redrawProgram);
const run = promisify(execFile);
const timeout = 30_000;

/** One at a time, because a decoded picture may take 300 MB of memory. */
const runSerially = createSerialQueue();

/**
 * Re-encodes a picture and makes a thumbnail. This removes everything else in the file, such as location, camera data,
 * comments, and code that another program might execute. It fails if the file cannot be decoded completely.
 */
export const redraw = (file: string, type: RasterType, into: { picture: string; thumbnail: string }): Promise<Raster> =>
  runSerially(async () => {
    const { stdout } = await run(execPath, [program, type, file, into.picture, into.thumbnail], {
      // The temporary files of the library are beside the file and are removed with it.
      env: { TMPDIR: dirname(file) },
      timeout: timeout,
      killSignal: 'SIGKILL',
    });
    return JSON.parse(stdout) as Raster;
  });
