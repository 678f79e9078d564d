import { ApiError, changeSiteHealth, checkSite, getSiteHealth } from '@opensocial/contract';
import type { Bind } from '../../http/bind.ts';
import { consumeQuota } from '../../http/throttle.ts';
import type { Parts } from '../../parts.ts';
import { changeSite } from './sites.changes.service.ts';
import { checkPolls, findCheck, insertCheck } from './sites.health.queries.ts';
import { checkSites, readHealth } from './sites.health.service.ts';
import { assertFetchQuota } from './sites.metadata.service.ts';
import { deleteFormerStates } from './sites.polling.queries.ts';

/** How often a site is checked by hand. */
const siteQuota = { limit: 3, minutes: 1 };

/** Whether a site works. */
export const siteHealthRoutes = (bind: Bind, parts: Parts): void => {
  const { db } = parts;

  bind(getSiteHealth, ({ params }) => readHealth(parts, params.site_id));

  bind(checkSite, async ({ params: { site_id }, network }) => {
    const { site, address } = await findCheck(db, site_id);
    if (!address || !site.checks_reachability) throw new ApiError('site_not_checked');
    if (!(await consumeQuota(db, [`check:site:${site_id}`], siteQuota)))
      throw new ApiError('too_many', { retryAfter: siteQuota.minutes * 60 });
    await assertFetchQuota(db, network, address);
    await deleteFormerStates(db, checkPolls, site_id);
    await insertCheck(db, site_id, address);
    await checkSites(parts, { url: address, siteIds: [site_id] });
    return readHealth(parts, site_id);
  });

  bind(changeSiteHealth, async ({ params, body: { checks_reachability, shows_unreachable, based_on }, ...caller }) => {
    await changeSite(parts, caller, params.site_id, () => ({ checks_reachability, shows_unreachable }), {
      based_on,
    });
    return readHealth(parts, params.site_id);
  });
};
