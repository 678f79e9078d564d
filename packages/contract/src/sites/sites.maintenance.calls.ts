import { networkAdmin } from '../access.ts';
import { call } from '../call.ts';
import { Id } from '../fields.ts';
import { path } from '../paths.ts';
import { SiteMaintenance, SiteMaintenanceChanges } from './sites.maintenance.schemas.ts';

export const getSiteMaintenance = call({
  method: 'GET',
  path: path('/server/sso/site_maintenance/:site_id', { site_id: Id }),
  summary: 'When a site is closed and opened again, and the group that may enter it meanwhile.',
  access: networkAdmin({ site_id: 'site' }),
  answer: SiteMaintenance,
});

export const planSiteMaintenance = call({
  method: 'PUT',
  path: path('/server/sso/site_maintenance/:site_id', { site_id: Id }),
  summary: 'Plan when a site is closed and opened again, and which group may enter it meanwhile. Null removes a plan.',
  access: networkAdmin({ site_id: 'site' }),
  body: SiteMaintenanceChanges,
  answer: SiteMaintenance,
});
