import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { redrawProgram } from '../places.ts';
import { inTurn } from './in-turn.ts';
import type { PictureType } from './picture-type.ts';

export type RasterType = Exclude<PictureType, 'svg'>;
export type Raster = { size: number; width: number; height: number };

const program = fileURLToPath(redrawProgram);
const run = promisify(execFile);
const longest = 30_000;

/** One after the other: a decoded picture may take 300 MB. */
const takeTurn = inTurn();

/**
 * Draws a picture anew, and a thumbnail of it. Whatever else the file held is gone: places, cameras, comments, and code that
 * another program might read. Fails where it cannot be read whole.
 */
export const redraw = (file: string, type: RasterType, into: { picture: string; thumbnail: string }): Promise<Raster> =>
  takeTurn(async () => {
    const { stdout } = await run(execPath, [program, type, file, into.picture, into.thumbnail], {
      // What the library writes for itself lies beside the file and goes with it.
      env: { TMPDIR: dirname(file) },
      timeout: longest,
      killSignal: 'SIGKILL',
    });
    return JSON.parse(stdout) as Raster;
  });
