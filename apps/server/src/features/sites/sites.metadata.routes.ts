import { ApiError, readSiteMetadata, type SubscriberMetadata } from '@opensocial/contract';
import { readSpMetadata, SamlError } from '@opensocial/saml';
import type { Bind } from '../../http/bind.ts';
import { callOutbound, OutboundError } from '../../http/outbound.ts';
import type { Parts } from '../../parts.ts';

const maximumBytes = 1_000_000;

/**
 * Reads the metadata of a service provider to fill the form. Nothing is stored: an administrator checks the values
 * first.
 */
export const siteMetadataRoutes = (bind: Bind, { config }: Parts): void => {
  bind(readSiteMetadata, async ({ body: { xml, url } }) => {
    return describe(url ? await load(url, config.allowsPrivateTargets) : (xml ?? ''));
  });
};

const load = async (url: string, allowsPrivate: boolean): Promise<string> => {
  try {
    const { status, body } = await callOutbound({ url, allowsPrivate, maximumBytes });
    if (status === 200) return body.toString('utf8');
    throw new OutboundError(`The address answered ${status}.`);
  } catch (cause) {
    if (cause instanceof OutboundError) throw new ApiError('address_unreachable', { message: cause.message, cause });
    throw cause;
  }
};

const describe = (xml: string): SubscriberMetadata => {
  try {
    const { entityId, acsUrl, slsUrl = '', certificates, signsRequests } = readSpMetadata(xml);
    return {
      identity: entityId,
      acs: acsUrl,
      sls: slsUrl,
      domain: URL.parse(acsUrl)?.host ?? '',
      certificate: certificates.join('\n'),
      signed_requests: signsRequests ? 'Yes' : 'No',
    };
  } catch (cause) {
    if (cause instanceof SamlError) throw new ApiError('metadata_unreadable', { message: explain(cause, xml), cause });
    throw cause;
  }
};

/** Explains to the administrator why the metadata cannot be read. */
const explain = ({ code, detail, message }: SamlError, given: string): string => {
  const text = given.replace(/^\uFEFF/, '').trim();
  if (/^(?:<!doctype html|<html[\s>])/i.test(text))
    return 'This is a web page, not SAML metadata. The address may lead to a sign-in page: download the metadata and choose the file.';
  if (!text.startsWith('<')) return 'This is not XML. SAML metadata is an XML document that begins with a tag.';
  if (code === 'xml_malformed')
    return 'This XML is incomplete or damaged. Copy the whole document, from its first tag to its last.';
  if (code === 'message_too_large')
    return 'This metadata is too large. Enter the metadata of a single service provider, at most 256 KB.';
  if (code === 'markup_forbidden')
    return `This XML has markup that is not accepted in metadata. ${detail ?? ''}`.trim();
  return detail ?? message;
};
