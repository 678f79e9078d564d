import type { Task } from 'graphile-worker';
import type { LinkRequest } from '../../jobs/jobs.ts';
import type { Parts } from '../../parts.ts';
import { answerLinkRequest } from './users.links.service.ts';

export const answerLinkRequestTask =
  (parts: Parts): Task =>
  async (payload) => {
    const request = parts.vault.open((payload as { sealed: string }).sealed);
    if (request === undefined) throw new Error('This request was queued under another SECRET_KEY.');
    await answerLinkRequest(parts, request as LinkRequest);
  };
