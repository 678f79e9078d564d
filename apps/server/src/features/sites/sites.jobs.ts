import { sign } from 'node:crypto';
import type { Task } from 'graphile-worker';
import { callOutbound, OutboundError } from '../../http/outbound.ts';
import type { Parts } from '../../parts.ts';
import { findAnnouncement, recordTry } from './sites.queries.ts';

type Announced = NonNullable<Awaited<ReturnType<typeof findAnnouncement>>>;

/**
 * Announces its new mode to a site. The site's signing key signs the bytes of the body, so that the site can verify them
 * with the network's metadata. The response of the site is never shown, only whether it succeeded.
 */
export const announceModeTask =
  (parts: Pick<Parts, 'db' | 'config' | 'keyring'>): Task =>
  async (payload) => {
    const { uid } = payload as { uid: string };
    const announced = await findAnnouncement(parts.db, uid);
    if (!announced?.site.update_url) return;
    const { outcome, isDelivered } = await deliver(parts, announced, announced.site.update_url);
    await recordTry(parts.db, uid, outcome, isDelivered);
    if (!isDelivered) throw new Error(`${announced.site.domain} could not be notified of its mode. ${outcome}`);
  };

const deliver = async ({ config, keyring }: Pick<Parts, 'config' | 'keyring'>, announced: Announced, url: string) => {
  const body = JSON.stringify({
    id: announced.announcement.uid,
    network: announced.network.name,
    identity: announced.site.identity,
    domain: announced.site.domain,
    site_mode: announced.announcement.mode,
    changed_at: announced.announcement.changed_at.toISOString(),
  });
  const signature = sign('sha256', Buffer.from(body), keyring(announced.key).privateKey).toString('base64');
  try {
    const { status } = await callOutbound({
      url,
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'x-opensocial-signature': signature },
      allowsPrivate: config.allowsPrivateTargets,
    });
    const isRedirect = status >= 300 && status < 400;
    const outcome = isRedirect
      ? `The site answered ${status}, a redirect, which is not followed. Enter the address that it leads to.`
      : `The site answered ${status}.`;
    return { outcome, isDelivered: status >= 200 && status < 300 };
  } catch (error) {
    if (error instanceof OutboundError) return { outcome: error.message, isDelivered: false };
    throw error;
  }
};
