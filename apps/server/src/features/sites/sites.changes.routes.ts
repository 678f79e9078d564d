import {
  removeSiteImage,
  setSiteMode,
  updateSite as updateSiteCall,
  updateSiteImage,
  updateSiteInfo,
  updateSubscriber,
} from '@opensocial/contract';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { assertGroupsOf } from '../groups/groups.service.ts';
import { assertFreshSignIn } from '../session/session.service.ts';
import { changeParameters, changeSite } from './sites.changes.service.ts';
import { getSite, type SiteRecord } from './sites.queries.ts';
import {
  assertFixed,
  assertSameNetwork,
  assertTargets,
  cleanIcon,
  startAddressOf,
  toColumns,
  toParameters,
  toSite,
  toSubscriber,
} from './sites.service.ts';

const imageColumns = {
  remove_icon: 'icon',
  remove_logo: 'logo',
  remove_icon_bg: 'icon_bg',
  remove_bg: 'background',
} as const;

/** The calls that change an existing site. */
export const siteChangeRoutes = (bind: Bind, parts: Parts): void => {
  const { db, config } = parts;

  bind(updateSiteCall, async ({ params, body, ...caller }) =>
    toSite(
      await changeSite(
        parts,
        caller,
        params.siteId,
        async (site, tx) => {
          assertFixed(site, body);
          // Without a second factor, a password alone gives access.
          if (site.mfa === 'Enable' && body.mfa === 'Disable') assertFreshSignIn(caller.actor);
          await assertGroupsOf(tx, caller.network.id, body.groups);
          return toColumns(body);
        },
        body,
      ),
    ),
  );

  bind(updateSiteInfo, async ({ body: { id, version: _version, based_on, login_url, icon, ...tile }, ...caller }) => {
    const changesOf = (site: SiteRecord) => {
      // The desktop shows a start URL for sites without their own login URL; it is not stored.
      const hasLoginUrl = login_url !== startAddressOf(config, caller.network, site);
      return { ...tile, icon: cleanIcon(icon), login_url: hasLoginUrl ? login_url : null };
    };
    return toSite(await changeSite(parts, caller, id, changesOf, { ...tile, based_on }));
  });

  bind(updateSubscriber, async ({ body, ...caller }) => {
    assertSameNetwork(body.sso_server, caller.network.name);
    const parameters = toParameters(body);
    await assertTargets(config, parameters, await getSite(db, body.id));
    const parametersOf = (site: SiteRecord) => {
      assertFixed(site, body);
      return parameters;
    };
    const updated = await changeParameters(parts, caller, body.id, parametersOf, body.based_on);
    return toSubscriber(updated, caller.network.name);
  });

  bind(setSiteMode, async ({ params, ...caller }) => {
    await changeSite(parts, caller, params.site_id, () => ({ site_mode: params.mode }));
    return { message: `The site is ${params.mode === 'Open' ? 'open' : 'closed'}.` };
  });

  bind(updateSiteImage, async ({ body: { id, ...look }, ...caller }) =>
    toSite(await changeSite(parts, caller, id, () => ('icon' in look ? { icon: cleanIcon(look.icon) } : look), look)),
  );

  bind(removeSiteImage, async ({ params, ...caller }) =>
    toSite(await changeSite(parts, caller, params.siteId, () => ({ [imageColumns[params.kind]]: null }))),
  );
};
