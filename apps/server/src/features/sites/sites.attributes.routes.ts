import { isDeepStrictEqual } from 'node:util';
import {
  ApiError,
  describeReleaseFault,
  getSiteAttributes,
  previewSiteAttributes,
  type SiteAttributes,
  type SiteRelease,
  updateSiteAttributes,
} from '@opensocial/contract';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { readVersion } from '../audit/audit.service.ts';
import { assertFreshSignIn } from '../session/session.service.ts';
import { previewAssertion } from '../sign-in/sign-in.service.ts';
import { changeSite } from './sites.changes.service.ts';
import { getSite, type SiteRecord } from './sites.queries.ts';
import type { Versioned } from './sites.service.ts';

/** What a site learns about people: the NameID and the attributes of its assertions, or its claims. */
export const siteAttributeRoutes = (bind: Bind, parts: Parts): void => {
  const { db } = parts;

  bind(getSiteAttributes, async ({ params }) => {
    const version = await readVersion(db, `site:${params.site_id}`);
    return toSiteAttributes({ version, site: await getSite(db, params.site_id) });
  });

  bind(updateSiteAttributes, async ({ params, body: { version: _version, based_on, ...release }, ...caller }) =>
    toSiteAttributes(
      await changeSite(
        parts,
        caller,
        params.site_id,
        (site) => {
          const fault = site.protocol === 'oidc' ? describeReleaseFault(release) : undefined;
          if (fault !== undefined) throw new ApiError('claims_refused', { message: fault });
          // The site decides by these values who a person is and what they may do there.
          if (!isDeepStrictEqual(toRelease(site), release)) assertFreshSignIn(caller.actor);
          return release;
        },
        { based_on },
      ),
    ),
  );

  bind(previewSiteAttributes, async ({ params, body: { user_id, index, ...columns } }) => {
    const request = { siteId: params.site_id, userId: user_id, index: index ?? undefined, columns };
    const preview = await previewAssertion(parts, request);
    if (!preview) throw new ApiError('not_found');
    return preview;
  });
};

const toRelease = ({
  name_id_format,
  name_id_source,
  attributes,
  attribute_index,
  further_attributes,
}: SiteRecord): SiteRelease => ({ name_id_format, name_id_source, attributes, attribute_index, further_attributes });

const toSiteAttributes = ({ site, version }: Versioned): SiteAttributes => ({ ...toRelease(site), version });
