import { ApiError, describeReleaseFault, previewClaims } from '@opensocial/contract';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { previewClaims as previewClaimsOf } from '../sign-in/sign-in.service.ts';

/** The preview of the claims that a site gets. */
export const siteClaimRoutes = (bind: Bind, parts: Parts): void => {
  bind(previewClaims, async ({ params, body: { user_id, attributes } }) => {
    const fault = describeReleaseFault({
      name_id_format: 'requested',
      name_id_source: 'email',
      attributes,
      attribute_index: null,
      further_attributes: [],
    });
    if (fault !== undefined) throw new ApiError('claims_refused', { message: fault });
    const preview = await previewClaimsOf(parts, { siteId: params.site_id, userId: user_id, attributes });
    if (!preview) throw new ApiError('not_found');
    return preview;
  });
};
