import type { Caller } from '@opensocial/contract';
import { callerOver } from './caller.ts';
import { fetchWithProgress } from './fetch-with-progress.ts';

/** Makes a call that uploads a file, and reports the progress in percent. */
export const callWithProgress = (onProgress: (percent: number) => void): Caller =>
  callerOver(fetchWithProgress(onProgress));
