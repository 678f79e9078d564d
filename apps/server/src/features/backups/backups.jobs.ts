import type { Task } from 'graphile-worker';
import { makeDueBackup, type ScheduleParts } from './backups.schedule.service.ts';

export const makeBackupTask =
  (parts: ScheduleParts): Task =>
  (_, { abortSignal }) =>
    makeDueBackup(parts, abortSignal);
