import {
  ApiError,
  createSite,
  getModeAnnouncement,
  getSite as getSiteCall,
  getSiteLogins,
  getSubscriber,
  listSites,
  removeSite,
  removeSiteImage,
  setSiteMode,
  updateSite as updateSiteCall,
  updateSiteImage,
  updateSiteInfo,
  updateSubscriber,
} from '@opensocial/contract';
import type { Transaction } from '../../database/connect.ts';
import { actorOf, type Caller } from '../../http/actor.ts';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { assertUnchanged, readVersion, recordAudit } from '../audit/audit.service.ts';
import { assertGroupsOf } from '../groups/groups.service.ts';
import { findEffectiveOwners, notifyOwners } from '../owners/owners.service.ts';
import { assertFreshSignIn } from '../session/session.service.ts';
import { readSettings } from '../settings/settings.service.ts';
import { keyedProviders } from '../social/social.service.ts';
import { announceMode, readAnnouncement } from './sites.announcements.ts';
import { deleteSite, getSite, insertSite, lockSite, readSites, type SiteRecord, updateSite } from './sites.queries.ts';
import {
  assertFixed,
  assertImages,
  assertUpdateUrl,
  cleanIcon,
  listed,
  orSiteExists,
  type Pictures,
  startAddressOf,
  toColumns,
  toParameters,
  toSite,
  toSubscriber,
  type Versioned,
  workingLogins,
} from './sites.service.ts';

const removed = {
  remove_icon: 'icon',
  remove_logo: 'logo',
  remove_icon_bg: 'icon_bg',
  remove_bg: 'background',
} as const;

export const siteRoutes = (bind: Bind, parts: Parts): void => {
  const { db, config, jobs } = parts;

  bind(listSites, async ({ network, params }) => {
    const { rows, total } = await readSites(db, network.id, {
      status: params.filter,
      mode: params.site_mode,
      keyword: params.keyword,
      lastId: params.lastid,
      size: config.pageSize,
    });
    return {
      sites: rows.map((row) => ({ ...row, name: row.site_name, auth_options: row.auth_options.join(',') })),
      all_sites: total,
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
    const site = { auth_options: listed(query.auth_options), custom_auth_options: listed(query.custom_auth_options) };
    const keyed = keyedProviders(await readSettings(db, network.id));
    return { usable: workingLogins(parts, network, site, keyed) };
  });

  bind(createSite, async ({ body, ...by }) => {
    const { identity, domain } = body;
    const draft = { identity, domain, site_name: domain, ...toParameters(body), network_id: by.network.id };
    assertSameNetwork(body.sso_server, by.network.name);
    await assertUpdateUrl(config, draft.update_url, null);
    const made = await db
      .transaction(async (tx) => {
        const site = await insertSite(tx, draft);
        await audit(tx, by, 'create', undefined, site);
        return { site, version: await readVersion(tx, `site:${site.id}`) };
      })
      .catch(orSiteExists);
    return toSubscriber(made, by.network.name);
  });

  /**
   * Every change of a site: the row is locked, changed and audited in one transaction. A new mode is announced to the site, a new ACS
   * is reported to the owners.
   */
  const change = (
    by: Caller,
    id: number,
    changesOf: (site: SiteRecord, tx: Transaction) => Promise<Partial<SiteRecord>> | Partial<SiteRecord>,
    { based_on: version, ...pictures }: Pictures & { based_on?: number | undefined } = {},
  ): Promise<Versioned> =>
    db.transaction(async (tx) => {
      await assertImages(tx, by.network.id, pictures);
      const before = await lockSite(tx, id);
      if (!before) throw new ApiError('not_found');
      const changes = await changesOf(before, tx);
      await assertUnchanged(tx, { subject: `site:${id}`, networkId: by.network.id, version }, before, changes);
      const after = await updateSite(tx, id, changes);
      await audit(tx, by, 'update', before, after);
      if (after.site_mode !== before.site_mode) await announceMode(tx, jobs, after);
      if (after.acs !== before.acs) await tellOfAcs(tx, parts, by, before.acs, after);
      return { site: after, version: await readVersion(tx, `site:${id}`) };
    });

  bind(updateSiteCall, async ({ params, body, ...by }) =>
    toSite(
      await change(
        by,
        params.siteId,
        async (site, tx) => {
          assertFixed(site, body);
          // Without it, a password is enough to get in.
          if (site.mfa === 'Enable' && body.mfa === 'Disable') assertFreshSignIn(by.session);
          await assertGroupsOf(tx, by.network.id, body.groups);
          return toColumns(body);
        },
        body,
      ),
    ),
  );

  bind(updateSiteInfo, async ({ body: { id, version: _version, based_on, login_url, icon, ...tile }, ...by }) => {
    // What the desktop shows in place of an address is no address of the site's own.
    const isOwn = login_url !== startAddressOf(config, by.network, { id });
    const changes = { ...tile, icon: cleanIcon(icon), login_url: isOwn ? login_url : null };
    return toSite(await change(by, id, () => changes, { ...tile, based_on }));
  });

  bind(updateSubscriber, async ({ body, ...by }) => {
    assertSameNetwork(body.sso_server, by.network.name);
    const parameters = toParameters(body);
    await assertUpdateUrl(config, parameters.update_url, (await getSite(db, body.id)).update_url);
    const updated = await change(
      by,
      body.id,
      (site) => {
        assertFixed(site, body);
        // No address is an empty text in the form and null in the database.
        if (deciding.some((key) => (parameters[key] || null) !== (site[key] || null))) assertFreshSignIn(by.session);
        return parameters;
      },
      { based_on: body.based_on },
    ).catch(orSiteExists);
    return toSubscriber(updated, by.network.name);
  });

  bind(setSiteMode, async ({ params, ...by }) => {
    await change(by, params.site_id, () => ({ site_mode: params.mode }));
    return { message: `The site is ${params.mode === 'Open' ? 'open' : 'closed'}.` };
  });

  bind(updateSiteImage, async ({ body: { id, ...look }, ...by }) =>
    toSite(await change(by, id, () => ('icon' in look ? { icon: cleanIcon(look.icon) } : look), look)),
  );

  bind(removeSiteImage, async ({ params, ...by }) =>
    toSite(await change(by, params.siteId, () => ({ [removed[params.kind]]: null }))),
  );

  /** As fresh as for another ACS: a site that is made anew under the same identity has whichever it is given. */
  bind(removeSite, async ({ params, ...by }) => {
    assertFreshSignIn(by.session);
    await db.transaction(async (tx) => {
      const site = await lockSite(tx, params.site_id);
      if (!site) throw new ApiError('not_found');
      await deleteSite(tx, site.id);
      await audit(tx, by, 'delete', site, undefined);
    });
    return { message: 'The site is removed.' };
  });
};

/** Where assertions, sign-outs and mode changes are sent, and whose signatures are trusted. */
const deciding = ['acs', 'sls', 'update_url', 'certificate', 'signed_requests'] as const;

const assertSameNetwork = (given: string | undefined, network: string): void => {
  if (given !== undefined && given !== network) throw new ApiError('not_found');
};

/** Whoever sets the ACS decides who receives the proof that somebody has signed in. */
const tellOfAcs = async (tx: Transaction, parts: Parts, by: Caller, before: string, { domain, acs }: SiteRecord) =>
  notifyOwners(tx, parts, by, await findEffectiveOwners(tx, by.network.id), {
    title: `The SSO ACS URL of ${domain} was changed`,
    happened: `Whoever signs in to ${domain} is now sent to ${acs}, no longer to ${before}.`,
    label: 'See the site',
    path: `sites?${new URLSearchParams({ search: domain })}`,
  });

/** Only what differs is written down; of a site that comes or goes, all of it. */
const audit = (
  tx: Transaction,
  by: Caller,
  action: 'create' | 'update' | 'delete',
  before: SiteRecord | undefined,
  after: SiteRecord | undefined,
) =>
  recordAudit(tx, {
    ...actorOf(by),
    action,
    subject: `site ${(after ?? before)?.domain}`,
    subject_key: `site:${(after ?? before)?.id ?? 0}`,
    old_data: before && differing(before, after),
    new_data: after && differing(after, before),
  });

const differing = (site: SiteRecord, other: SiteRecord | undefined): Partial<SiteRecord> =>
  other
    ? Object.fromEntries(
        Object.entries(site).filter(
          ([key, value]) => JSON.stringify(value) !== JSON.stringify(other[key as keyof SiteRecord]),
        ),
      )
    : site;
