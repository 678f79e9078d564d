import type { Task } from 'graphile-worker';
import { doOnce } from '../../jobs/do-once.ts';
import type { InvitationRequest, LinkRequest } from '../../jobs/jobs.ts';
import type { Parts } from '../../parts.ts';
import { mailInvitation } from './users.invitations.service.ts';
import { answerLinkRequest } from './users.links.service.ts';

export const answerLinkRequestTask =
  (parts: Parts): Task =>
  async (payload, { job }) => {
    const request = parts.vault.open((payload as { sealed: string }).sealed);
    if (request === undefined) throw new Error('This request was queued with another SECRET_KEY.');
    await doOnce(parts.db, job, (tx) => answerLinkRequest(tx, parts, request as LinkRequest));
  };

export const sendInvitationTask =
  (parts: Parts): Task =>
  (payload, { job }) =>
    doOnce(parts.db, job, (tx) => mailInvitation(tx, parts, payload as InvitationRequest));
