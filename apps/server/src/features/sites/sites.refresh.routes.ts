import { ApiError, applySiteRefresh, getSiteRefresh, refreshSite } from '@opensocial/contract';
import type { Bind } from '../../http/bind.ts';
import { consumeQuota } from '../../http/throttle.ts';
import type { Parts } from '../../parts.ts';
import { changeParameters } from './sites.changes.service.ts';
import { digestOf, withDifferences } from './sites.differences.ts';
import { assertFetchQuota, type LimitConcurrency } from './sites.metadata.service.ts';
import { deleteFormerStates } from './sites.polling.queries.ts';
import { insertRefresh, refreshPolls } from './sites.refresh.queries.ts';
import { differencesOf, findRefresh, readRefresh, refreshSites } from './sites.refresh.service.ts';
import { assertTargets, toParameters } from './sites.service.ts';

/** The shortest interval between two readings by hand. */
const siteQuota = { limit: 1, minutes: 1 };

export const siteRefreshRoutes = (bind: Bind, parts: Parts, limitConcurrency: LimitConcurrency): void => {
  const { db, config } = parts;

  bind(getSiteRefresh, ({ params }) => readRefresh(db, params.site_id));

  bind(refreshSite, async ({ params: { site_id }, network }) => {
    const { site } = await findRefresh(db, site_id);
    const url = site.metadata_url;
    if (!url) throw new ApiError('metadata_url_missing');
    await limitConcurrency(network, async () => {
      if (!(await consumeQuota(db, [`metadata:site:${site_id}`], siteQuota)))
        throw new ApiError('too_many', { retryAfter: siteQuota.minutes * 60 });
      await assertFetchQuota(db, network, url);
      await deleteFormerStates(db, refreshPolls, site_id);
      await insertRefresh(db, site_id, url);
      const { state } = await findRefresh(db, site_id);
      if (state) await refreshSites(parts, [{ site, state }]);
    });
    return readRefresh(db, site_id);
  });

  bind(applySiteRefresh, async ({ params: { site_id }, body: { digest, chosen }, ...caller }) => {
    const parametersWith = ({ site, state }: Awaited<ReturnType<typeof findRefresh>>) => {
      const differences = differencesOf(site, state);
      const applied = differences.filter(({ id }) => chosen.includes(id));
      if (digestOf(differences) !== digest || applied.length !== new Set(chosen).size)
        throw new ApiError('metadata_changed');
      return toParameters(withDifferences(site, caller.network.name, applied));
    };
    const found = await findRefresh(db, site_id);
    await assertTargets(config, parametersWith(found), found.site);
    await changeParameters(parts, caller, site_id, async (site, tx) =>
      parametersWith({ site, state: (await findRefresh(tx, site_id)).state }),
    );
    return readRefresh(db, site_id);
  });
};
