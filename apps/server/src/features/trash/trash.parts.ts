import { and, eq, getTableColumns, getTableName, inArray, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Queryable } from '../../database/connect.ts';
import {
  desktopFavourites,
  desktopSectionSites,
  desktopSections,
  groupSites,
  groups,
  groupUsers,
  images,
  memberships,
  oidcSecrets,
  owners,
  passkeys,
  passwordHistory,
  profilePictures,
  recoveryCodes,
  refreshNotices,
  signingKeys,
  signingKeyUses,
  siteAnnouncements,
  siteRefreshes,
  sites,
  siteVisits,
  socialIdentities,
  users,
} from '../../database/schema.ts';
import { sealedValues } from '../secret-keys/secret-keys.service.ts';

/** The deleted object. `whole` is false for a person whose account stays, because it belongs to other networks. */
export type Subject = {
  kind: 'site' | 'user' | 'group' | 'image';
  id: number;
  networkId: number;
  email: string;
  whole: boolean;
};

export type Noun = 'group' | 'site' | 'person';

/** What has to be different in a restored row, and sentences about it. */
export type Adjustment = { overrides: Record<string, unknown>; notes: string[] };

/** Another row that a copied row refers to, and that may be deleted before the copy is restored. */
export type Target = {
  column: string;
  table: PgTable;
  /** The column of the target that the value is compared with. */
  key: string;
  /** The condition that the target still belongs to the network. */
  inNetwork: (networkId: number) => SQL;
  /** What the target is called if the restore reports that it is missing; a missing target without a noun is not worth a report. */
  noun?: Noun;
  /** Its name at the time of the deletion. */
  label?: SQL;
};

/** The rows of one table that belong to a deleted object. */
export type TrashPart = {
  table: PgTable;
  rows: (subject: Subject, db: Queryable) => SQL | undefined;
  target?: Target;
  /** The name of the stored file of a row. */
  file?: SQL;
  /** Whether the row may have been created again meanwhile. */
  mayExist?: true;
  /** Columns that have another value after the restore. */
  overrides?: () => Record<string, unknown>;
};

const networkColumn = (networkId: number) => sql`network_id = ${networkId}`;

const groupTarget: Target = {
  column: 'group_id',
  table: groups,
  key: 'id',
  inNetwork: networkColumn,
  noun: 'group',
  label: sql`(select ${groups.name} from ${groups} where ${groups.id} = copied.group_id)`,
};

const siteTarget: Target = {
  column: 'site_id',
  table: sites,
  key: 'id',
  inNetwork: networkColumn,
  noun: 'site',
  label: sql`(select ${sites.domain} from ${sites} where ${sites.id} = copied.site_id)`,
};

const memberTarget: Target = {
  column: 'user_id',
  table: memberships,
  key: 'user_id',
  inNetwork: networkColumn,
  noun: 'person',
  label: sql`(select ${users.email} from ${users} where ${users.id} = copied.user_id)`,
};

/** Visits and uses are records of the past, favourites and sections arrange tiles. Nobody misses those of a row that is gone. */
const silently = ({ column, table, key, inNetwork }: Target): Target => ({ column, table, key, inNetwork });

const keyTarget: Target = { column: 'key_id', table: signingKeys, key: 'id', inNetwork: networkColumn };

const sectionTarget: Target = { column: 'section_id', table: desktopSections, key: 'id', inNetwork: networkColumn };

const siteParts: TrashPart[] = [
  { table: sites, rows: ({ id }) => eq(sites.id, id) },
  { table: groupSites, rows: ({ id }) => eq(groupSites.site_id, id), target: groupTarget },
  { table: siteVisits, rows: ({ id }) => eq(siteVisits.site_id, id), target: silently(memberTarget), mayExist: true },
  {
    table: desktopFavourites,
    rows: ({ id }) => eq(desktopFavourites.site_id, id),
    target: silently(memberTarget),
    mayExist: true,
  },
  { table: desktopSectionSites, rows: ({ id }) => eq(desktopSectionSites.site_id, id), target: sectionTarget },
  { table: siteAnnouncements, rows: ({ id }) => eq(siteAnnouncements.site_id, id) },
  { table: signingKeyUses, rows: ({ id }) => eq(signingKeyUses.site_id, id), target: keyTarget },
  { table: siteRefreshes, rows: ({ id }) => eq(siteRefreshes.site_id, id) },
  { table: refreshNotices, rows: ({ id }) => eq(refreshNotices.site_id, id) },
  { table: oidcSecrets, rows: ({ id }) => eq(oidcSecrets.site_id, id) },
];

const idsIn = (db: Queryable, table: typeof groups | typeof sites, networkId: number) =>
  db.select({ id: table.id }).from(table).where(eq(table.network_id, networkId));

const membershipParts: TrashPart[] = [
  {
    table: memberships,
    rows: ({ id, networkId }) => and(eq(memberships.user_id, id), eq(memberships.network_id, networkId)),
  },
  {
    table: owners,
    rows: ({ email, networkId }) => and(eq(owners.email, email), eq(owners.network_id, networkId)),
    mayExist: true,
  },
  {
    table: groupUsers,
    rows: ({ id, networkId }, db) =>
      and(eq(groupUsers.user_id, id), inArray(groupUsers.group_id, idsIn(db, groups, networkId))),
    target: groupTarget,
  },
  {
    table: siteVisits,
    rows: ({ id, networkId }, db) =>
      and(eq(siteVisits.user_id, id), inArray(siteVisits.site_id, idsIn(db, sites, networkId))),
    target: silently(siteTarget),
    mayExist: true,
  },
  {
    table: desktopFavourites,
    rows: ({ id, networkId }, db) =>
      and(eq(desktopFavourites.user_id, id), inArray(desktopFavourites.site_id, idsIn(db, sites, networkId))),
    target: silently(siteTarget),
    mayExist: true,
  },
  {
    table: desktopSections,
    rows: ({ id, networkId }) => and(eq(desktopSections.user_id, id), eq(desktopSections.network_id, networkId)),
  },
  {
    table: desktopSectionSites,
    rows: ({ id, networkId }, db) =>
      and(eq(desktopSectionSites.user_id, id), inArray(desktopSectionSites.site_id, idsIn(db, sites, networkId))),
    target: silently(siteTarget),
  },
];

const accountParts: TrashPart[] = [
  {
    table: users,
    rows: ({ id }) => eq(users.id, id),
    // Browsers that were trusted before have to prove the second factor again.
    overrides: () => ({ credentials_at: new Date().toISOString() }),
  },
  ...membershipParts,
  { table: passwordHistory, rows: ({ id }) => eq(passwordHistory.user_id, id) },
  { table: recoveryCodes, rows: ({ id }) => eq(recoveryCodes.user_id, id) },
  { table: passkeys, rows: ({ id }) => eq(passkeys.user_id, id) },
  { table: socialIdentities, rows: ({ id }) => eq(socialIdentities.user_id, id) },
  {
    table: profilePictures,
    rows: ({ id }) => eq(profilePictures.user_id, id),
    file: sql`substring(${profilePictures.name} from '[^/]*$')`,
  },
];

const groupParts: TrashPart[] = [
  { table: groups, rows: ({ id }) => eq(groups.id, id) },
  { table: groupUsers, rows: ({ id }) => eq(groupUsers.group_id, id), target: memberTarget },
  { table: groupSites, rows: ({ id }) => eq(groupSites.group_id, id), target: siteTarget },
];

const imageParts: TrashPart[] = [{ table: images, rows: ({ id }) => eq(images.id, id), file: sql`${images.name}` }];

/**
 * The tables whose rows are copied, in the order in which they are restored. A test reads the foreign keys of the database, and fails for a
 * table that is neither here nor in its list of tables that are left out on purpose.
 */
export const partsOf = ({ kind, whole }: Pick<Subject, 'kind' | 'whole'>): readonly TrashPart[] => {
  if (kind === 'user') return whole ? accountParts : membershipParts;
  return { site: siteParts, group: groupParts, image: imageParts }[kind];
};

/** The encrypted column of a table, which is copied to `trash_rows.sealed`. */
export const sealedColumnOf = (table: PgTable): string | undefined =>
  sealedValues.find(({ name }) => name.startsWith(`${getTableName(table)}.`))?.name.split('.')[1];

/** The columns that an insert sets; the database computes the others. */
export const insertedColumnsOf = (table: PgTable): string[] =>
  Object.values(getTableColumns(table)).flatMap(({ name, generated }) => (generated === undefined ? [name] : []));
