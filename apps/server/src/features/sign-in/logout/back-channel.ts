import type { OidcParameters } from '@opensocial/contract';
import { newSamlId, readSoap, SamlError, soapEnvelope } from '@opensocial/saml';
import { callOutbound, type OutboundAnswer, OutboundError } from '../../../http/outbound.ts';
import type { Parts } from '../../../parts.ts';
import { backChannelOf } from '../../sites/sites.service.ts';
import { type Destination, findSiteById } from '../destination/destinations.queries.ts';
import { buildRequest, isSuccess, type RequestSubject } from './logout-messages.ts';
import { buildLogoutToken } from './logout-token.ts';
import { claimBackChannels, recordInformed } from './logouts.queries.ts';

const maximumConcurrent = 6;

/** The time for all requests of a step. Sites that did not get their turn by then count as not informed. */
const maximumDuration = 10_000;

/** The time for one site, in milliseconds. */
const siteTimeout = 5_000;

const maximumResponseBytes = 64 * 1024;

const soapHeaders = {
  'content-type': 'text/xml; charset=utf-8',
  soapaction: '"http://www.oasis-open.org/committees/security"',
};

/** Sends logout messages from server to server to the sites that no visit of the browser has informed, as far as they support it. */
export const informByBackChannel = async (parts: Parts, logoutId: number): Promise<void> => {
  const queue = await claimBackChannels(parts.db, logoutId);
  const endsAt = performance.now() + maximumDuration;
  const work = async (): Promise<void> => {
    for (let site = queue.shift(); site && performance.now() < endsAt; site = queue.shift())
      if ((await informSite(parts, site)) === 'informed') await recordInformed(parts.db, site.id);
  };
  await Promise.all(Array.from({ length: maximumConcurrent }, work));
};

export type BackChannelParts = Pick<Parts, 'db' | 'config' | 'keyring' | 'vault' | 'persistentNames' | 'log'>;

/** Sends one message. `unreachable`: the site has no address for it, or does not exist any more. */
export const informSite = async (
  parts: BackChannelParts,
  participant: RequestSubject,
): Promise<'informed' | 'failed' | 'unreachable'> => {
  const destination = await findSiteById(parts.db, participant.site_id);
  if (!destination) return 'unreachable';
  const { oidc } = destination.site;
  const url = oidc ? oidc.backchannel_logout_uri : backChannelOf(destination.site);
  if (!url) return 'unreachable';
  try {
    const isInformed = oidc
      ? await sendLogoutToken(parts, destination, oidc, participant)
      : await sendSoap(parts, destination, url, participant);
    return isInformed ? 'informed' : 'failed';
  } catch (error) {
    if (!(error instanceof OutboundError || error instanceof SamlError)) throw error;
    const { id } = destination.site;
    parts.log.info({ site: id, reason: error.message }, 'A site was not informed of a logout between servers.');
    return 'failed';
  }
};

/** The standard requires status 200, and some applications answer 204. */
const sendLogoutToken = async (
  parts: BackChannelParts,
  destination: Destination,
  oidc: OidcParameters,
  participant: RequestSubject,
): Promise<boolean> => {
  const body = new URLSearchParams({
    logout_token: await buildLogoutToken(parts, destination, oidc, participant),
  }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const { status } = await post(parts, { url: oidc.backchannel_logout_uri, headers, body });
  if (status < 200 || status > 299) throw new OutboundError(`The site answered ${status}.`);
  return true;
};

const sendSoap = async (
  parts: BackChannelParts,
  destination: Destination,
  url: string,
  participant: RequestSubject,
): Promise<boolean> => {
  const requestId = newSamlId();
  const key = parts.keyring(destination.key);
  const body = soapEnvelope(buildRequest(parts, destination, participant, { id: requestId, destination: url, key }));
  const answer = await post(parts, { url, headers: soapHeaders, body });
  if (answer.status !== 200) throw new OutboundError(`The site answered ${answer.status}.`);
  return isSuccess(parts, readSoap('SAMLResponse', answer.body), { destination, requestId });
};

type Message = { url: string; headers: Record<string, string>; body: string };

const post = ({ config }: BackChannelParts, message: Message): Promise<OutboundAnswer> =>
  callOutbound({
    ...message,
    method: 'POST',
    allowsPrivate: config.allowsPrivateTargets,
    maximumBytes: maximumResponseBytes,
    timeout: siteTimeout,
  });
