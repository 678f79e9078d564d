import { ApiError } from '@opensocial/contract';
import type { SamlError, SpDescription } from '@opensocial/saml';
import type { Database } from '../../database/connect.ts';
import { callOutbound, type OutboundAnswer, OutboundError } from '../../http/outbound.ts';
import { consumeQuota } from '../../http/throttle.ts';
import { proposeRelease } from './sites.attributes.proposals.ts';

/** Federations publish the metadata of thousands of service providers in one document. */
const maximumMetadataBytes = 64 * 1024 * 1024;

/** The values of response headers by which the other server recognises that we know the current document. */
export type Validators = { etag: string; lastModified: string };

type MetadataRequest = {
  url: string;
  allowsPrivate: boolean;
  maximumBytes?: number;
  timeout?: number;
  signal?: AbortSignal;
};

export type LoadedMetadata = Validators & { bytes: Buffer };

/** Reads a document from an address. */
export const fetchMetadata = async (request: MetadataRequest): Promise<LoadedMetadata> =>
  toLoaded(await requestMetadata(request, {}));

/** The same if it is no longer the document of the validators; otherwise undefined. */
export const fetchChangedMetadata = async (
  request: MetadataRequest,
  { etag, lastModified }: Validators,
): Promise<LoadedMetadata | undefined> => {
  const headers = {
    ...(etag && { 'if-none-match': etag }),
    ...(lastModified && { 'if-modified-since': lastModified }),
  };
  const answer = await requestMetadata(request, headers);
  return answer.status === 304 && Object.keys(headers).length > 0 ? undefined : toLoaded(answer);
};

const requestMetadata = (request: MetadataRequest, headers: Record<string, string>) =>
  callOutbound({ maximumBytes: maximumMetadataBytes, timeout: 30_000, redirects: 3, headers, ...request });

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

const toLoaded = ({ status, body, etag, lastModified }: OutboundAnswer): LoadedMetadata => {
  if (status === 200) return { bytes: body, etag, lastModified };
  throw new OutboundError(
    redirectStatuses.has(status) ? 'The address redirects too often.' : `The address answered ${status}.`,
  );
};

const quotaMinutes = 10;
const networkQuota = { limit: 60, minutes: quotaMinutes };
const hostQuota = { limit: 120, minutes: quotaMinutes };

/** Limits how often owners let this server call an address, so that it can neither scan ports nor flood a host for them. */
export const assertFetchQuota = async (db: Database, network: { id: number }, url: string): Promise<void> => {
  const isWithin =
    (await consumeQuota(db, [`metadata:network:${network.id}`], networkQuota)) &&
    (await consumeQuota(db, [`metadata:host:${new URL(url).hostname}`], hostQuota));
  if (!isWithin) throw new ApiError('too_many', { retryAfter: quotaMinutes * 60 });
};

/** Large documents are held in memory, so a network reads only a few at the same time. Other networks are not affected by its limit. */
const maximumConcurrent = 2;

export type LimitConcurrency = <T>(network: { id: number }, work: () => Promise<T>) => Promise<T>;

export const createConcurrencyLimit = (): LimitConcurrency => {
  const running = new Map<number, number>();
  return async ({ id }, work) => {
    const count = running.get(id) ?? 0;
    if (count >= maximumConcurrent) throw new ApiError('too_many', { retryAfter: 5 });
    running.set(id, count + 1);
    return work().finally(() => {
      const left = (running.get(id) ?? 1) - 1;
      if (left > 0) running.set(id, left);
      else running.delete(id);
    });
  };
};

/** The endpoints come in the order redirect, POST, SOAP. Messages from server to server are only a fallback for a site with another binding. */
const toLogout = ([first, ...others]: SpDescription['logout']) => ({
  sls: first?.url ?? '',
  sls_binding: first?.binding ?? ('auto' as const),
  sls_response: (first?.binding !== 'soap' && first?.responseUrl) || '',
  sls_soap: others.find(({ binding }) => binding === 'soap')?.url ?? '',
});

/**
 * The ACS paths of software that verifies a signed assertion and has no setting to require a signed response as well: mod_auth_mellon, the
 * Shibboleth Service Provider, and SimpleSAMLphp. Others, such as node-saml, ask for signed assertions in their metadata and still refuse
 * a response without a signature of its own, so that WantAssertionsSigned is no reason to sign less.
 */
const assertionIsEnough =
  /\/mellon\/postResponse$|\/Shibboleth\.sso\/SAML2\/POST$|\/module\.php\/saml\/sp\/saml2-acs\.php\/[^/?]+$/;

/** What responses to a new site are signed with. Metadata is not signed, so it never leads to an unsigned assertion. */
const sufficientSignatures = (acs: SpDescription['acs']): 'both' | 'assertion' =>
  acs.every(({ url }) => assertionIsEnough.test(url)) ? 'assertion' : 'both';

export const toMetadataParameters = ({
  entityId,
  acs,
  logout,
  certificates,
  signsRequests,
  ...found
}: SpDescription) => {
  const { release, warnings } = proposeRelease(found.attributeServices);
  return {
    identity: entityId,
    acs: acs[0].url,
    ...toLogout(logout),
    domain: URL.parse(acs[0].url)?.host ?? '',
    certificate: certificates.join('\n'),
    signed_requests: signsRequests ? ('Yes' as const) : ('No' as const),
    acs_index: acs.length > 1 ? acs[0].index : null,
    further_acs: acs.slice(1, 21),
    signs: sufficientSignatures(acs),
    wants_assertions_signed: found.wantsAssertionsSigned,
    // Encryption is proposed only where the metadata has a certificate for it, and is left for the administrator to switch on.
    encrypts: 'No' as const,
    encryption_certificate: found.encryptionCertificates[0] ?? '',
    release,
    warnings: [...found.warnings, ...warnings],
  };
};

/** Explains to the administrator why the metadata cannot be read. */
export const explainFault = ({ code, detail, message }: SamlError, given: Buffer): string => {
  const text = given
    .subarray(0, 1_000)
    .toString()
    .replace(/^\uFEFF/, '')
    .trim();
  if (/^(?:<!doctype html|<html[\s>])/i.test(text))
    return 'This is a web page, not SAML metadata. The address may lead to a sign-in page: download the metadata and choose the file.';
  if (code === 'message_undecodable') return detail ?? message;
  if (!text.startsWith('<')) return 'This is not XML. SAML metadata is an XML document that begins with a tag.';
  if (code === 'xml_malformed')
    return 'This XML is incomplete or damaged. Copy the whole document, from its first tag to its last.';
  if (code === 'message_too_large')
    return 'This metadata is too large. A service provider may have 1 MB, and a file with several of them 64 MB.';
  if (code === 'markup_forbidden')
    return `This XML has markup that is not accepted in metadata. ${detail ?? ''}`.trim();
  return detail ?? message;
};
