import { and, asc, eq, inArray, notInArray, or, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { desktopSectionSites, desktopSections, memberships, sites } from '../../database/schema.ts';

/** The desktop that a person has in a network. */
export type OwnDesktop = { networkId: number; userId: number };

const isOf = ({ networkId, userId }: OwnDesktop): SQL | undefined =>
  and(eq(desktopSections.network_id, networkId), eq(desktopSections.user_id, userId));

const isMembershipOf = ({ networkId, userId }: OwnDesktop): SQL | undefined =>
  and(eq(memberships.network_id, networkId), eq(memberships.user_id, userId));

export const findSectionsVersion = async (db: Queryable, desktop: OwnDesktop): Promise<number> => {
  const [found] = await db
    .select({ version: memberships.desktop_version })
    .from(memberships)
    .where(isMembershipOf(desktop));
  return found?.version ?? 0;
};

/** Raises the version if it is still the given one. Locks it until the transaction ends, so that saves run one after the other. */
export const raiseSectionsVersion = async (tx: Queryable, desktop: OwnDesktop, from: number): Promise<boolean> => {
  const raised = await tx
    .update(memberships)
    .set({ desktop_version: from + 1 })
    .where(and(isMembershipOf(desktop), eq(memberships.desktop_version, from)))
    .returning({ version: memberships.desktop_version });
  return raised.length > 0;
};

export const findSections = (db: Queryable, desktop: OwnDesktop) =>
  db
    .select({ id: desktopSections.id, name: desktopSections.name, collapsed: desktopSections.is_collapsed })
    .from(desktopSections)
    .where(isOf(desktop))
    .orderBy(asc(desktopSections.position), asc(desktopSections.id));

/** The sites in the sections that meet a condition, in their order. */
export const findSectionSites = (db: Queryable, desktop: OwnDesktop, isListed: SQL | undefined) =>
  db
    .select({ id: sites.id, section_id: desktopSectionSites.section_id })
    .from(desktopSections)
    .innerJoin(desktopSectionSites, eq(desktopSectionSites.section_id, desktopSections.id))
    .innerJoin(sites, eq(sites.id, desktopSectionSites.site_id))
    .where(and(isOf(desktop), isListed))
    .orderBy(asc(desktopSectionSites.position), asc(sites.id));

/** With a section, the sites in it are released. */
export const deleteSectionsExcept = (tx: Queryable, desktop: OwnDesktop, kept: readonly number[]) =>
  tx.delete(desktopSections).where(and(isOf(desktop), notInArray(desktopSections.id, [...kept])));

type Placed = { id: number; name: string; position: number };

/** Returns the number of sections that were found. */
export const updateSections = async (
  tx: Queryable,
  { networkId, userId }: OwnDesktop,
  changed: readonly Placed[],
): Promise<number> => {
  const list = (key: keyof Placed) => sql.param(changed.map((section) => section[key]));
  const { rowCount } = await tx.execute(sql`
    update ${desktopSections} set name = given.name, position = given.position
    from unnest(${list('id')}::bigint[], ${list('name')}::text[], ${list('position')}::smallint[]) as given (id, name, position)
    where ${desktopSections.id} = given.id and network_id = ${networkId} and user_id = ${userId}`);
  return rowCount ?? 0;
};

export const insertSection = async (
  tx: Queryable,
  { networkId, userId }: OwnDesktop,
  section: Omit<Placed, 'id'>,
): Promise<number> => {
  const [inserted] = await tx
    .insert(desktopSections)
    .values({ ...section, network_id: networkId, user_id: userId })
    .returning({ id: desktopSections.id });
  if (!inserted) throw new Error('The section was not inserted.');
  return inserted.id;
};

/** Takes sites out of the sections: those that meet a condition, and those of a list. Others keep their place. */
export const releaseSites = (
  tx: Queryable,
  { networkId, userId }: OwnDesktop,
  isListed: SQL | undefined,
  siteIds: readonly number[],
) =>
  tx.execute(sql`
    delete from ${desktopSectionSites} using ${sites}
    where ${and(
      eq(sites.id, desktopSectionSites.site_id),
      eq(sites.network_id, networkId),
      eq(desktopSectionSites.user_id, userId),
      or(isListed, inArray(sites.id, [...siteIds])),
    )}`);

type Placement = { site_id: number; section_id: number; position: number };

export const insertSectionSites = async (
  tx: Queryable,
  { userId }: OwnDesktop,
  placements: readonly Placement[],
): Promise<void> => {
  const list = (key: keyof Placement) => sql.param(placements.map((placement) => placement[key]));
  await tx.execute(sql`
    insert into ${desktopSectionSites} (user_id, site_id, section_id, position)
    select ${userId}::bigint, * from unnest(${list('site_id')}::bigint[], ${list('section_id')}::bigint[], ${list('position')}::smallint[])`);
};

/** Returns whether the section exists. */
export const updateCollapsed = async (
  db: Queryable,
  desktop: OwnDesktop,
  sectionId: number,
  isCollapsed: boolean,
): Promise<boolean> => {
  const updated = await db
    .update(desktopSections)
    .set({ is_collapsed: isCollapsed })
    .where(and(eq(desktopSections.id, sectionId), isOf(desktop)))
    .returning({ id: desktopSections.id });
  return updated.length > 0;
};
