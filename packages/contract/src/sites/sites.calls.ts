import { z } from 'zod';
import { afterFreshSignIn, networkAdmin } from '../access.ts';
import { call, uploadCall } from '../call.ts';
import { Done, Id, NamedNetwork, Removed, wrapped } from '../fields.ts';
import { NetworkMode } from '../networks/networks.schemas.ts';
import { page } from '../paging.ts';
import { listPath, path } from '../paths.ts';
import {
  LoginTypes,
  MetadataAnswer,
  MetadataChoice,
  MetadataSource,
  ModeAnnouncement,
  Site,
  SiteChanges,
  SiteDraft,
  SiteImageRemoval,
  SiteInfo,
  SiteRow,
  Subscriber,
  SubscriberChanges,
} from './sites.schemas.ts';
import { SiteMode, SiteStatus } from './sites.state.schemas.ts';

export const listSites = call({
  method: 'GET',
  path: listPath('/server/sso/sites/:server_id', { filter: SiteStatus, site_mode: SiteMode }, '/:lastid/:sso_server', {
    server_id: Id,
    sso_server: NamedNetwork,
  }),
  summary: 'The sites of a network, by domain. A keyword is searched in domain and name.',
  access: networkAdmin({ server_id: 'id', sso_server: 'name' }),
  answer: page('sites', SiteRow, 'all_sites').extend({ network_mode: NetworkMode }),
});

export const getSite = call({
  method: 'GET',
  path: path('/server/sso/site/:site_id', { site_id: Id }),
  summary: 'A site with its settings and its look.',
  access: networkAdmin({ site_id: 'site' }),
  answer: Site,
});

export const updateSite = call({
  method: 'PUT',
  path: path('/server/sso/site/:siteId', { siteId: Id }),
  summary: "Change a site's settings and look. Its groups stay as they are.",
  access: networkAdmin({ siteId: 'site' }),
  body: SiteChanges,
  // Room for the icon's markup, and the groups with their names.
  maxBody: 512 * 1_024,
  answer: Site,
});

export const updateSiteInfo = call({
  method: 'POST',
  path: path('/server/sso/sites/update_site_info/:server', { server: NamedNetwork }),
  summary: "Change a site's name, its address and its tile on the desktop.",
  access: networkAdmin({ server: 'name', id: 'site' }),
  body: wrapped(SiteInfo),
  answer: Site,
});

export const getSubscriber = call({
  method: 'GET',
  path: path('/server/sso/subscriber/:site_id/:server_name', { site_id: Id, server_name: NamedNetwork }),
  summary: 'The SSO parameters of a site.',
  access: networkAdmin({ site_id: 'samlSite', server_name: 'name' }),
  answer: Subscriber,
});

export const createSite = call({
  method: 'POST',
  path: path('/server/sso/sites/new/:server_id/:server_name', { server_id: Id, server_name: NamedNetwork }),
  summary: 'Register a site. Its identity and ACS URL must be unique across all networks.',
  access: networkAdmin({ server_id: 'id', server_name: 'name' }),
  body: wrapped(SiteDraft),
  answer: Subscriber,
});

export const updateSubscriber = call({
  method: 'POST',
  path: path('/server/sso/sites/update_site/:server_name', { server_name: NamedNetwork }),
  summary: "Change a site's SSO parameters. Identity and domain cannot be changed.",
  access: networkAdmin({ server_name: 'name', id: 'samlSite' }),
  body: wrapped(SubscriberChanges),
  answer: Subscriber,
});

export const readSiteMetadata = call({
  method: 'POST',
  path: path('/server/sso/site_metadata/:server_name', { server_name: NamedNetwork }),
  summary: "Read the SSO parameters from a service provider's metadata, given as XML or by its address.",
  access: networkAdmin({ server_name: 'name' }),
  body: MetadataSource,
  maxBody: 1_200_000,
  answer: MetadataAnswer,
});

export const readSiteMetadataFile = uploadCall({
  method: 'POST',
  path: path('/server/sso/site_metadata_file/:server_name', { server_name: NamedNetwork }),
  summary: "Read the SSO parameters from a file with a service provider's metadata, or with that of a federation.",
  access: networkAdmin({ server_name: 'name' }),
  upload: { field: 'metadata', maximumBytes: 64 * 1024 * 1024 },
  body: MetadataChoice,
  answer: MetadataAnswer,
});

export const setSiteMode = call({
  method: 'PUT',
  path: path('/server/sso/sites/:site_id/mode/:mode', { site_id: Id, mode: SiteMode }),
  summary: 'Open or close a site, and announce it to its Mode Update URL.',
  access: networkAdmin({ site_id: 'site' }),
  answer: Done,
});

export const getModeAnnouncement = call({
  method: 'GET',
  path: path('/server/sso/site_announcement/:site_id', { site_id: Id }),
  summary: 'The delivery state of the last change of mode.',
  access: networkAdmin({ site_id: 'site' }),
  answer: ModeAnnouncement,
});

export const getSiteLogins = call({
  method: 'GET',
  path: path('/server/sso/site_logins/:site_id', { site_id: Id }),
  summary:
    'The given login types that would work at a site: those for which the network has keys or the installation has an issuer.',
  access: networkAdmin({ site_id: 'site' }),
  query: LoginTypes,
  answer: z.object({ usable: z.array(z.string()) }),
});

export const removeSite = call({
  method: 'DELETE',
  path: path('/server/sso/sites/:site_id/:sso_server', { site_id: Id, sso_server: NamedNetwork }),
  summary: 'Remove a site. It gets no further assertions.',
  access: afterFreshSignIn(networkAdmin({ site_id: 'site', sso_server: 'name' })),
  answer: Removed,
});

export const updateSiteImage = call({
  method: 'PUT',
  path: path('/server/sso/update_logo_bg', {}),
  summary:
    "Change one part of a site's look: logo, background or icon picture by the image's name, icon as SVG markup.",
  access: networkAdmin({ id: 'site' }),
  body: z.union([
    z.strictObject({ id: Id, logo: Site.shape.logo.min(1) }),
    z.strictObject({ id: Id, background: Site.shape.background.min(1) }),
    z.strictObject({ id: Id, icon: Site.shape.icon.min(1) }),
    z.strictObject({ id: Id, icon_bg: Site.shape.icon_bg.min(1) }),
  ]),
  answer: Site,
});

export const removeSiteImage = call({
  method: 'GET',
  path: path('/server/sso/remove_site_logo_bg/:siteId/:kind', { siteId: Id, kind: SiteImageRemoval }),
  summary: "Remove one part of a site's look.",
  access: networkAdmin({ siteId: 'site' }),
  changesState: true,
  answer: Site,
});
