import type { Task } from 'graphile-worker';
import type { EndedSession } from '../../../jobs/jobs.ts';
import { type BackChannelParts, informSite } from './back-channel.ts';
import { isInformed, recordInformed } from './logouts.queries.ts';

/**
 * Informs a site that a session has ended. A site that does not confirm it is tried again. If the session has ended in its browser, the
 * site may be informed already.
 */
export const informSiteTask =
  (parts: BackChannelParts): Task =>
  async (payload) => {
    const ended = parts.vault.open((payload as { sealed: string }).sealed) as EndedSession;
    if (ended.logoutSiteId !== undefined && (await isInformed(parts.db, ended.logoutSiteId))) return;
    const outcome = await informSite(parts, {
      site_id: ended.siteId,
      name_id: ended.nameId,
      name_id_format: ended.nameIdFormat,
      session_index: ended.sessionIndex,
    });
    if (outcome === 'failed') throw new Error(`Site ${ended.siteId} was not informed that a session has ended.`);
    if (outcome === 'informed' && ended.logoutSiteId !== undefined) await recordInformed(parts.db, ended.logoutSiteId);
  };
