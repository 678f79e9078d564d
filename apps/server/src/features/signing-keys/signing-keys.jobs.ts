import type { Task } from 'graphile-worker';
import type { Parts } from '../../parts.ts';
import { reportExpiries } from './signing-keys.expiries.service.ts';

export const reportExpiriesTask =
  (parts: Parts): Task =>
  () =>
    reportExpiries(parts);
