import type { Caller } from '@opensocial/contract';
import { callerOver } from './caller.ts';
import { fetchWithProgress } from './fetch-with-progress.ts';

/** Makes a call that brings a file, and tells how much of it is sent, in percent. */
export const callWithProgress = (onProgress: (percent: number) => void): Caller =>
  callerOver(fetchWithProgress(onProgress));
