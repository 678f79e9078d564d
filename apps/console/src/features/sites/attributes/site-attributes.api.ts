import {
  type AttributesPreviewDraft,
  type ClaimsPreviewDraft,
  getSiteAttributes,
  previewClaims,
  previewSiteAttributes,
  type SiteAttributes,
  type SiteAttributesChanges,
  updateSiteAttributes,
} from '@opensocial/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/transport/caller.ts';
import { queryClient } from '../../../api/transport/query-client.ts';

const attributesKey = (siteId: number) => ['sites', 'attributes', siteId] as const;

export const siteAttributesQuery = (siteId: number) =>
  queryOptions({
    queryKey: attributesKey(siteId),
    queryFn: ({ signal }) => call(getSiteAttributes, { params: { site_id: siteId } }, signal),
    // A form uses this data, so a background refetch must not replace the input.
    refetchOnWindowFocus: false,
  });

/** The current attributes, for a form whose save was refused because another person has changed them. */
export const reloadSiteAttributes = (siteId: number): Promise<SiteAttributes> =>
  queryClient.fetchQuery({ ...siteAttributesQuery(siteId), staleTime: 0 });

export const saveSiteAttributes = (siteId: number) =>
  mutationOptions({
    mutationKey: ['sites', 'save-attributes', siteId],
    mutationFn: ({ version, ...changes }: SiteAttributesChanges) =>
      call(updateSiteAttributes, { params: { site_id: siteId }, body: { ...changes, based_on: version } }),
    onSuccess: (saved) => queryClient.setQueryData(attributesKey(siteId), saved),
  });

export const previewAttributes = (siteId: number) =>
  mutationOptions({
    mutationKey: ['sites', 'preview-attributes', siteId],
    mutationFn: (draft: AttributesPreviewDraft) =>
      call(previewSiteAttributes, { params: { site_id: siteId }, body: draft }),
  });

export const previewClaimsOf = (siteId: number) =>
  mutationOptions({
    mutationKey: ['sites', 'preview-claims', siteId],
    mutationFn: (draft: ClaimsPreviewDraft) => call(previewClaims, { params: { site_id: siteId }, body: draft }),
  });
