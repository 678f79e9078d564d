import { newSamlId, readSoap, SamlError, soapEnvelope } from '@opensocial/saml';
import { callOutbound, OutboundError } from '../../../http/outbound.ts';
import type { Parts } from '../../../parts.ts';
import { backChannelOf } from '../../sites/sites.service.ts';
import { findSiteById } from '../destination/destinations.queries.ts';
import { buildRequest, isSuccess, type RequestSubject } from './logout-messages.ts';
import { claimBackChannels, recordInformed } from './logouts.queries.ts';

const maximumConcurrent = 6;

/** The time for all requests of a step. Sites that did not get their turn by then count as not informed. */
const maximumDuration = 10_000;

/** The time for one site, in milliseconds. */
const siteTimeout = 5_000;

const maximumResponseBytes = 64 * 1024;

const headers = {
  'content-type': 'text/xml; charset=utf-8',
  soapaction: '"http://www.oasis-open.org/committees/security"',
};

/** Sends logout requests from server to server to the sites that no visit of the browser has informed, as far as they support it. */
export const informByBackChannel = async (parts: Parts, logoutId: number): Promise<void> => {
  const queue = await claimBackChannels(parts.db, logoutId);
  const endsAt = Date.now() + maximumDuration;
  const work = async (): Promise<void> => {
    for (let site = queue.shift(); site && Date.now() < endsAt; site = queue.shift())
      if ((await informSite(parts, site)) === 'informed') await recordInformed(parts.db, site.id);
  };
  await Promise.all(Array.from({ length: maximumConcurrent }, work));
};

export type BackChannelParts = Pick<Parts, 'db' | 'config' | 'keyring' | 'vault' | 'log'>;

/** Sends one request. `unreachable`: the site has no address for it, or does not exist any more. */
export const informSite = async (
  parts: BackChannelParts,
  participant: RequestSubject,
): Promise<'informed' | 'failed' | 'unreachable'> => {
  const destination = await findSiteById(parts.db, participant.site_id);
  const url = destination && backChannelOf(destination.site);
  if (!url) return 'unreachable';
  const requestId = newSamlId();
  const key = parts.keyring(destination.key);
  const xml = buildRequest(parts, destination, participant, { id: requestId, destination: url, key });
  try {
    const answer = readSoap('SAMLResponse', await post(parts, url, soapEnvelope(xml)));
    return isSuccess(parts, answer, { destination, requestId }) ? 'informed' : 'failed';
  } catch (error) {
    if (!(error instanceof OutboundError || error instanceof SamlError)) throw error;
    const { id } = destination.site;
    parts.log.info({ site: id, reason: error.message }, 'A site was not informed of a logout by SOAP.');
    return 'failed';
  }
};

const post = async ({ config }: BackChannelParts, url: string, body: string): Promise<Buffer> => {
  const answer = await callOutbound({
    url,
    method: 'POST',
    headers,
    body,
    allowsPrivate: config.allowsPrivateTargets,
    maximumBytes: maximumResponseBytes,
    timeout: siteTimeout,
  });
  if (answer.status !== 200) throw new OutboundError(`The site answered ${answer.status}.`);
  return answer.body;
};
