import { ApiError, type ArrangedSections, type SectionsDraft } from '@opensocial/contract';
import type { z } from 'zod';
import type { Database, Queryable } from '../../database/connect.ts';
import { isOnDesktop, lockSitesIf } from './desktop.queries.ts';
import {
  deleteSectionsExcept,
  findSectionSites,
  findSections,
  findSectionsVersion,
  insertSection,
  insertSectionSites,
  type OwnDesktop,
  raiseSectionsVersion,
  releaseSites,
  updateCollapsed,
  updateSections,
} from './desktop.sections.queries.ts';
import { type DesktopNetwork, shownTo, type Viewer } from './desktop.service.ts';

/**
 * A person's own sections, with the sites that are on the person's desktop. The version is read first: if the sections are newer than it, a
 * save is refused; if they were older, a save would undo changes that they lack.
 */
export const readSections = async (
  db: Queryable,
  network: DesktopNetwork,
  viewer: Viewer,
): Promise<ArrangedSections> => {
  const desktop = { networkId: network.id, userId: viewer.id };
  const version = await findSectionsVersion(db, desktop);
  const sections = await findSections(db, desktop);
  if (sections.length === 0) return { sections: [], version };
  const listed = await findSectionSites(db, desktop, isOnDesktop(network.id, shownTo(network, viewer)));
  const appsOf = Map.groupBy(listed, ({ section_id }) => section_id);
  return {
    sections: sections.map((section) => ({ ...section, apps: (appsOf.get(section.id) ?? []).map(({ id }) => id) })),
    version,
  };
};

/**
 * Replaces a person's sections. Sites that are not on the person's desktop at present stay in their sections, and are there again when the
 * person may use them again; listing one has no effect.
 */
export const saveSections = (
  db: Database,
  network: DesktopNetwork,
  viewer: Viewer,
  { sections, version }: z.output<typeof SectionsDraft>,
): Promise<ArrangedSections> =>
  db.transaction(async (tx) => {
    const desktop = { networkId: network.id, userId: viewer.id };
    if (!(await raiseSectionsVersion(tx, desktop, version))) throw new ApiError('sections_changed');
    const isListed = isOnDesktop(network.id, shownTo(network, viewer));
    const listed = new Set(
      await lockSitesIf(
        tx,
        sections.flatMap(({ apps }) => apps),
        isListed,
      ),
    );
    const ids = await placeSections(tx, desktop, sections);
    await releaseSites(tx, desktop, isListed, [...listed]);
    const placements = sections.flatMap(({ apps }, index) =>
      apps.map((site_id, position) => ({ site_id, section_id: ids[index] ?? 0, position })),
    );
    await insertSectionSites(
      tx,
      desktop,
      placements.filter(({ site_id }) => listed.has(site_id)),
    );
    return readSections(tx, network, viewer);
  });

/** Updates, inserts and deletes sections. Returns their ids in order. */
const placeSections = async (
  tx: Queryable,
  desktop: OwnDesktop,
  sections: z.output<typeof SectionsDraft>['sections'],
): Promise<number[]> => {
  const placed = sections.map(({ id, name }, position) => ({ id, name, position }));
  const kept = placed.flatMap(({ id, ...section }) => (id === undefined ? [] : [{ ...section, id }]));
  if ((await updateSections(tx, desktop, kept)) < kept.length) throw new ApiError('not_found');
  await deleteSectionsExcept(
    tx,
    desktop,
    kept.map(({ id }) => id),
  );
  const ids: number[] = [];
  // oxlint-disable-next-line no-await-in-loop -- at most 20, and each row's id is needed
  for (const { id, ...section } of placed) ids.push(id ?? (await insertSection(tx, desktop, section)));
  return ids;
};

/** A section of somebody else is answered as if it did not exist. */
export const collapseSection = async (
  db: Queryable,
  desktop: OwnDesktop,
  sectionId: number,
  isCollapsed: boolean,
): Promise<void> => {
  if (!(await updateCollapsed(db, desktop, sectionId, isCollapsed))) throw new ApiError('not_found');
};
