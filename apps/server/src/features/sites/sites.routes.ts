import {
  ApiError,
  createSite,
  getModeAnnouncement,
  getSite as getSiteCall,
  getSiteLogins,
  getSubscriber,
  listSites,
  removeSite,
  type SiteRow,
} from '@opensocial/contract';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { readVersion } from '../audit/audit.service.ts';
import { readSettings } from '../settings/settings.service.ts';
import { keyedProviders } from '../social/social.service.ts';
import { moveToTrash } from '../trash/trash.service.ts';
import { readAnnouncement } from './sites.announcements.ts';
import { siteChangeRoutes } from './sites.changes.routes.ts';
import { auditSite } from './sites.changes.service.ts';
import { certificateEndOf } from './sites.health.service.ts';
import { deleteSite, getSite, insertSite, lockSite, readSites } from './sites.queries.ts';
import {
  assertSameNetwork,
  assertTargets,
  parseNameList,
  rethrowAsSiteExists,
  toNewTile,
  toParameters,
  toSite,
  toSubscriber,
  type Versioned,
  workingLogins,
} from './sites.service.ts';

type Row = Awaited<ReturnType<typeof readSites>>['rows'][number];

const toSiteRow = ({ certificate, encryption_certificate, encrypts, unreachable_since, ...row }: Row): SiteRow => ({
  ...row,
  name: row.site_name,
  icon: row.icon ?? '',
  icon_bg: row.icon_bg ?? '',
  icon_color: row.icon_color ?? '',
  icon_background: row.icon_background ?? '',
  auth_options: row.auth_options.join(','),
  unreachable_since: unreachable_since?.toISOString() ?? null,
  certificate_ends: certificateEndOf({ certificate, encryption_certificate, encrypts }),
});

export const siteRoutes = (bind: Bind, parts: Parts): void => {
  const { db, config } = parts;

  bind(listSites, async ({ network, params }) => {
    const { rows, total, total_is_minimum } = await readSites(db, network.id, {
      status: params.filter,
      mode: params.site_mode,
      keyword: params.keyword,
      lastId: params.lastid,
      size: config.pageSize,
    });
    return {
      sites: rows.map(toSiteRow),
      all_sites: total,
      total_is_minimum,
      network_mode: network.mode,
    };
  });

  const find = async (id: number): Promise<Versioned> => {
    const version = await readVersion(db, `site:${id}`);
    return { version, site: await getSite(db, id) };
  };

  bind(getSiteCall, async ({ params }) => toSite(await find(params.site_id)));

  bind(getSubscriber, async ({ params, network }) => toSubscriber(await find(params.site_id), network.name));

  bind(getModeAnnouncement, ({ params }) => readAnnouncement(db, params.site_id));

  bind(getSiteLogins, async ({ query, network }) => {
    const site = {
      auth_options: parseNameList(query.auth_options),
      custom_auth_options: parseNameList(query.custom_auth_options),
    };
    const providersWithKeys = keyedProviders(await readSettings(db, network.id));
    return { usable: workingLogins(parts, network, site, providersWithKeys) };
  });

  bind(createSite, async ({ body, ...caller }) => {
    const { identity, domain, release } = body;
    const parameters = { ...toParameters(body), ...release };
    const draft = { identity, domain, ...toNewTile(body), ...parameters, network_id: caller.network.id };
    assertSameNetwork(body.sso_server, caller.network.name);
    await assertTargets(config, draft);
    const created = await db
      .transaction(async (tx) => {
        const site = await insertSite(tx, draft);
        await auditSite(tx, caller, 'create', undefined, site);
        return { site, version: await readVersion(tx, `site:${site.id}`) };
      })
      .catch(rethrowAsSiteExists);
    return toSubscriber(created, caller.network.name);
  });

  siteChangeRoutes(bind, parts);

  /** Needs a fresh sign-in like a new ACS URL: a site with the same identity could be created again with any ACS URL. */
  bind(removeSite, async ({ params, ...caller }) => {
    const trashId = await db.transaction(async (tx) => {
      const site = await lockSite(tx, params.site_id);
      if (!site) throw new ApiError('not_found');
      const auditId = await auditSite(tx, caller, 'delete', site, undefined);
      const { id, domain: label, site_name: detail } = site;
      const kept = await moveToTrash(tx, parts, caller, { kind: 'site', id, label, detail, auditId });
      await deleteSite(tx, site.id);
      return kept;
    });
    return { message: 'The site was deleted.', trash_id: trashId };
  });
};
