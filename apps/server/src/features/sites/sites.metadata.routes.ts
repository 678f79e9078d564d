import { readFile } from 'node:fs/promises';
import { ApiError, type MetadataAnswer, readSiteMetadata, readSiteMetadataFile } from '@opensocial/contract';
import { readSpMetadata, SamlError, type SpDescription } from '@opensocial/saml';
import type { Bind, BindUpload } from '../../http/bind.ts';
import { callOutbound, OutboundError } from '../../http/outbound.ts';
import type { Parts } from '../../parts.ts';
import { proposeRelease } from './sites.attributes.proposals.ts';

/** Federations publish the metadata of thousands of service providers in one document. */
const maximumBytes = 64 * 1024 * 1024;

/** Large documents are held in memory, so a network reads only a few at the same time. Other networks are not affected by its limit. */
const maximumConcurrent = 2;

/**
 * Reads the metadata of a service provider to fill the form. Nothing is stored: an administrator checks the values
 * first.
 */
export const siteMetadataRoutes = (bind: Bind, bindUpload: BindUpload, { config }: Parts): void => {
  const running = new Map<number, number>();
  const limitConcurrency = async <T>({ id }: { id: number }, work: () => Promise<T>): Promise<T> => {
    const count = running.get(id) ?? 0;
    if (count >= maximumConcurrent) throw new ApiError('too_many', { retryAfter: 5 });
    running.set(id, count + 1);
    return work().finally(() => {
      const left = (running.get(id) ?? 1) - 1;
      if (left > 0) running.set(id, left);
      else running.delete(id);
    });
  };

  bind(readSiteMetadata, ({ network, body: { xml, url, entity_id } }) =>
    limitConcurrency(network, async () =>
      describe(url ? await load(url, config.allowsPrivateTargets) : Buffer.from(xml ?? ''), entity_id),
    ),
  );

  bindUpload(readSiteMetadataFile, ({ network, body: { entity_id }, file }) =>
    limitConcurrency(network, async () => describe(await readFile(file.path), entity_id)),
  );
};

const load = async (url: string, allowsPrivate: boolean): Promise<Buffer> => {
  try {
    const { status, body } = await callOutbound({ url, allowsPrivate, maximumBytes, redirects: 3, timeout: 30_000 });
    if (status === 200) return body;
    throw new OutboundError(
      status >= 300 && status < 400 ? 'The address redirects too often.' : `The address answered ${status}.`,
    );
  } catch (cause) {
    if (cause instanceof OutboundError) throw new ApiError('address_unreachable', { message: cause.message, cause });
    throw cause;
  }
};

const describe = async (bytes: Buffer, entityId: string | undefined): Promise<MetadataAnswer> => {
  try {
    const found = await readSpMetadata(bytes, entityId);
    if (!Array.isArray(found)) return toParameters(found);
    return { entities: found.map((entity) => ({ entity_id: entity.entityId, name: entity.name })) };
  } catch (cause) {
    if (cause instanceof SamlError)
      throw new ApiError('metadata_unreadable', { message: explain(cause, bytes), cause });
    throw cause;
  }
};

/** We send logout messages with the redirect binding if the site has it. */
const toParameters = ({ entityId, acs, logout, certificates, signsRequests, ...found }: SpDescription) => {
  const { release, warnings } = proposeRelease(found.attributeServices);
  return {
    identity: entityId,
    acs: acs[0].url,
    sls: logout.find(({ binding }) => binding !== 'soap')?.url ?? '',
    domain: URL.parse(acs[0].url)?.host ?? '',
    certificate: certificates.join('\n'),
    signed_requests: signsRequests ? ('Yes' as const) : ('No' as const),
    acs_index: acs.length > 1 ? acs[0].index : null,
    further_acs: acs.slice(1, 21),
    signs: 'both' as const,
    // Encryption is proposed only where the metadata has a certificate for it, and is left for the administrator to switch on.
    encrypts: 'No' as const,
    encryption_certificate: found.encryptionCertificates[0] ?? '',
    release,
    warnings: [...found.warnings, ...warnings],
  };
};

/** Explains to the administrator why the metadata cannot be read. */
const explain = ({ code, detail, message }: SamlError, given: Buffer): string => {
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
