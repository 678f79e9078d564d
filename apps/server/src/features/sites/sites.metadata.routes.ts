import { ApiError, readSiteMetadata, type SubscriberMetadata } from '@opensocial/contract';
import { readSpMetadata, SamlError } from '@opensocial/saml';
import type { Bind } from '../../http/bind.ts';
import { callOutbound, OutboundError } from '../../http/outbound.ts';
import type { Parts } from '../../parts.ts';

const maximumBytes = 1_000_000;

/** Fills the form from what a service provider says of itself. Nothing is stored: an administrator looks at it first. */
export const siteMetadataRoutes = (bind: Bind, { config }: Parts): void => {
  bind(readSiteMetadata, async ({ body: { xml, url } }) => {
    if ((xml === undefined) === (url === undefined)) throw new ApiError('invalid_input');
    return describe(xml ?? (await load(url ?? '', config.allowsPrivateTargets)));
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
    if (cause instanceof SamlError) throw new ApiError('metadata_unreadable', { message: cause.message, cause });
    throw cause;
  }
};
