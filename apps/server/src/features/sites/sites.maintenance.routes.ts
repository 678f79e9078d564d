import { getSiteMaintenance, planSiteMaintenance } from '@opensocial/contract';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { assertGroupsOf } from '../groups/groups.service.ts';
import { changeSite } from './sites.changes.service.ts';
import { readMaintenance, toPlan } from './sites.maintenance.service.ts';

/** Planned maintenance of sites. */
export const siteMaintenanceRoutes = (bind: Bind, parts: Parts): void => {
  const { db } = parts;

  bind(getSiteMaintenance, ({ params }) => readMaintenance(db, params.site_id));

  bind(planSiteMaintenance, async ({ params, body: { testers_group_id, based_on, ...window }, ...caller }) => {
    await changeSite(
      parts,
      caller,
      params.site_id,
      async (site, tx) => {
        if (testers_group_id !== null) await assertGroupsOf(tx, caller.network.id, [{ id: testers_group_id }]);
        const plan = toPlan(window, site);
        if (plan.closes_at) await parts.jobs.carryOutMaintenance(tx, site.id, 'closes', plan.closes_at);
        if (plan.opens_at) await parts.jobs.carryOutMaintenance(tx, site.id, 'opens', plan.opens_at);
        return { ...plan, testers_group_id };
      },
      { based_on },
    );
    return readMaintenance(db, params.site_id);
  });
};
