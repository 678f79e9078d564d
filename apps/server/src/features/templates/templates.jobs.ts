import type { Task } from 'graphile-worker';
import type { Parts } from '../../parts.ts';
import { reportTemplates } from './templates.service.ts';

export const reportTemplatesTask =
  (parts: Parts): Task =>
  () =>
    reportTemplates(parts);
