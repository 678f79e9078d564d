import { describeEntryChange } from '@opensocial/contract';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { assertSitesOf } from '../sites/sites.service.ts';
import { countChangedPeople, findChangedSites } from './groups.entry.queries.ts';
import { assertGroupsOf } from './groups.service.ts';

/** The sites that an answer describes. The others are only counted. */
const described = 5;

/** Who may enter which sites after a change of their groups. */
export const groupEntryRoutes = (bind: Bind, { db }: Parts): void => {
  bind(describeEntryChange, async ({ network, body }) => {
    const { assigned = [], unassigned = [], deleted = [], restored = [] } = body;
    const pairs = [...assigned, ...unassigned];
    const groupIds = [...pairs.map(({ group_id }) => group_id), ...deleted];
    await assertGroupsOf(
      db,
      network.id,
      groupIds.map((id) => ({ id })),
    );
    await assertSitesOf(
      db,
      network.id,
      pairs.map(({ site_id }) => ({ id: site_id })),
    );
    const changed = await findChangedSites(db, network.id, { assigned, unassigned, deleted, restored });
    const sites = await Promise.all(
      changed.slice(0, described).map(async (site) => ({
        id: site.id,
        site_name: site.name,
        domain: site.domain,
        effect: site.is_opened ? ('opened' as const) : ('restricted' as const),
        people: await countChangedPeople(db, network.id, site),
      })),
    );
    return { total: changed.length, sites };
  });
};
