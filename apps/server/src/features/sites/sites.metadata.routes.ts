import { readFile } from 'node:fs/promises';
import { ApiError, type MetadataAnswer, readSiteMetadata, readSiteMetadataFile } from '@opensocial/contract';
import { readSpMetadata, SamlError } from '@opensocial/saml';
import type { Bind, BindUpload } from '../../http/bind.ts';
import { OutboundError } from '../../http/outbound.ts';
import type { Parts } from '../../parts.ts';
import {
  assertFetchQuota,
  createConcurrencyLimit,
  explainFault,
  fetchMetadata,
  toMetadataParameters,
} from './sites.metadata.service.ts';
import { siteRefreshRoutes } from './sites.refresh.routes.ts';

/**
 * Reads the metadata of a service provider to fill the form. Nothing is stored: an administrator checks the values
 * first.
 */
export const siteMetadataRoutes = (bind: Bind, bindUpload: BindUpload, parts: Parts): void => {
  const { db, config } = parts;
  const limitConcurrency = createConcurrencyLimit();

  bind(readSiteMetadata, ({ network, body: { xml, url, entity_id } }) =>
    limitConcurrency(network, async () => {
      if (!url) return describe(Buffer.from(xml ?? ''), entity_id);
      await assertFetchQuota(db, network, url);
      return describe(await load(url, config.allowsPrivateTargets), entity_id);
    }),
  );

  bindUpload(readSiteMetadataFile, ({ network, body: { entity_id }, file }) =>
    limitConcurrency(network, async () => describe(await readFile(file.path), entity_id)),
  );

  siteRefreshRoutes(bind, parts, limitConcurrency);
};

const load = async (url: string, allowsPrivate: boolean): Promise<Buffer> => {
  try {
    return (await fetchMetadata({ url, allowsPrivate })).bytes;
  } catch (cause) {
    if (cause instanceof OutboundError) throw new ApiError('address_unreachable', { message: cause.message, cause });
    throw cause;
  }
};

const describe = async (bytes: Buffer, entityId: string | undefined): Promise<MetadataAnswer> => {
  try {
    const found = await readSpMetadata(bytes, entityId);
    if (!Array.isArray(found)) return toMetadataParameters(found);
    return { entities: found.map((entity) => ({ entity_id: entity.entityId, name: entity.name })) };
  } catch (cause) {
    if (cause instanceof SamlError)
      throw new ApiError('metadata_unreadable', { message: explainFault(cause, bytes), cause });
    throw cause;
  }
};
