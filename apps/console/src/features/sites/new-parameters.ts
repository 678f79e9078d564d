import type { SiteDraft, SiteRelease } from '@opensocial/contract';

/** The parameters of a new site, with the attributes that its metadata or its recipe asks for. */
export type NewParameters = Omit<SiteDraft, 'release'> & { release?: SiteRelease };

/** Before anything is entered. */
export const blankParameters: NewParameters = {
  identity: '',
  acs: '',
  sls: '',
  sls_binding: 'auto',
  sls_response: '',
  sls_soap: '',
  domain: '',
  update_url: '',
  certificate: '',
  signed_requests: 'Yes',
  acs_index: null,
  further_acs: [],
  signs: 'both',
  encrypts: 'No',
  encryption_certificate: '',
  metadata_url: '',
};
