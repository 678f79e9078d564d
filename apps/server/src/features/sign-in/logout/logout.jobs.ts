import type { Task } from 'graphile-worker';
import type { EndedSession } from '../../../jobs/jobs.ts';
import type { Parts } from '../../../parts.ts';
import { informSite } from './back-channel.ts';

/** Informs a site that a session has ended without its browser. A site that does not confirm it is tried again. */
export const informSiteTask =
  (parts: Pick<Parts, 'db' | 'config' | 'keyring' | 'vault' | 'log'>): Task =>
  async (payload) => {
    const ended = parts.vault.open((payload as { sealed: string }).sealed) as EndedSession;
    const outcome = await informSite(parts, {
      site_id: ended.siteId,
      name_id: ended.nameId,
      name_id_format: ended.nameIdFormat,
      session_index: ended.sessionIndex,
    });
    if (outcome === 'failed') throw new Error(`Site ${ended.siteId} was not informed that a session has ended.`);
  };
