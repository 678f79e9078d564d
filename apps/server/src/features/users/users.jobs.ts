import type { Task } from 'graphile-worker';
import type { InvitationRequest, LinkRequest } from '../../jobs/jobs.ts';
import type { Parts } from '../../parts.ts';
import { mailInvitation } from './users.invitations.service.ts';
import { answerLinkRequest } from './users.links.service.ts';

export const answerLinkRequestTask =
  (parts: Parts): Task =>
  async (payload) => {
    const request = parts.vault.open((payload as { sealed: string }).sealed);
    if (request === undefined) throw new Error('This request was queued with another SECRET_KEY.');
    await answerLinkRequest(parts, request as LinkRequest);
  };

export const sendInvitationTask =
  (parts: Parts): Task =>
  (payload) =>
    mailInvitation(parts, payload as InvitationRequest);
