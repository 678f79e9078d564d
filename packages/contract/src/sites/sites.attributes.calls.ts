import { networkAdmin } from '../access.ts';
import { call } from '../call.ts';
import { Id } from '../fields.ts';
import { path } from '../paths.ts';
import {
  AttributesPreview,
  AttributesPreviewDraft,
  SiteAttributes,
  SiteAttributesChanges,
} from './sites.attributes.schemas.ts';

const maxBody = 128 * 1_024;

export const getSiteAttributes = call({
  method: 'GET',
  path: path('/server/sso/site_attributes/:site_id', { site_id: Id }),
  summary: 'What a site learns about people: the NameID and the attributes of its assertions.',
  access: networkAdmin({ site_id: 'site' }),
  answer: SiteAttributes,
});

export const updateSiteAttributes = call({
  method: 'PUT',
  path: path('/server/sso/site_attributes/:site_id', { site_id: Id }),
  summary: 'Change the NameID and the attributes of the assertions for a site, from the next sign-in on.',
  access: networkAdmin({ site_id: 'site' }),
  body: SiteAttributesChanges,
  maxBody,
  answer: SiteAttributes,
});

export const previewSiteAttributes = call({
  method: 'POST',
  path: path('/server/sso/site_attributes_preview/:site_id', { site_id: Id }),
  summary:
    'Show the assertion that a site would get about a member of the network with these settings. Nothing is saved.',
  access: networkAdmin({ site_id: 'samlSite', user_id: 'member' }),
  body: AttributesPreviewDraft,
  maxBody,
  answer: AttributesPreview,
});
