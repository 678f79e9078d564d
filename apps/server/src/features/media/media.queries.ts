import type { ImageChanges } from '@opensocial/contract';
import { and, eq, getTableColumns, or, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { contains, readPage } from '../../database/paging.ts';
import {
  images,
  networkSettings,
  networks,
  profilePictures,
  sites,
  type TrashLink,
  trashRows,
} from '../../database/schema.ts';
import { pictureFolder } from '../profile/profile.pictures.service.ts';

export type ImageRecord = typeof images.$inferSelect;
export type ImageKind = ImageRecord['kind'];

/** A library: the images of one kind in a network. */
export type Library = { networkId: number; kind: ImageKind };

const inLibrary = ({ networkId, kind }: Library): SQL =>
  sql`${images.network_id} = ${networkId} and ${images.kind} = ${kind}`;

type ImagesQuery = { keyword?: string | undefined; lastId: number; size: number };

export const readImages = (db: Queryable, library: Library, { keyword, ...page }: ImagesQuery) =>
  readPage(db, images, getTableColumns(images), {
    order: { by: images.id, id: images.id, descending: true },
    scope: inLibrary(library),
    match: contains(images.searched, keyword),
    ...page,
  });

/** Finds an image in any network, because everybody may see it. */
export const findImage = async (db: Queryable, named: { name: string; kind: ImageKind; network?: string }) => {
  const [found] = await db
    .select({ name: images.name, media_type: images.media_type })
    .from(images)
    .innerJoin(networks, eq(networks.id, images.network_id))
    .where(
      and(
        eq(images.name, named.name),
        eq(images.kind, named.kind),
        named.network === undefined ? undefined : eq(networks.name, named.network),
      ),
    );
  return found;
};

/** Finds an image of a library by id or name, with a row lock if it is about to change. */
export const findInLibrary = async (
  db: Queryable,
  library: Library,
  key: { id: number } | { name: string },
  isHeld = false,
): Promise<ImageRecord | undefined> => {
  const named = 'id' in key ? eq(images.id, key.id) : eq(images.name, key.name);
  const query = db
    .select()
    .from(images)
    .where(and(inLibrary(library), named));
  const [image] = await (isHeld ? query.for('update') : query);
  return image;
};

/** Counts the names that are in a library, and locks them against deletion until the transaction ends. */
export const lockImages = async (tx: Queryable, library: Library, names: string[]): Promise<number> => {
  const locked = await tx
    .select({ id: images.id })
    .from(images)
    .where(and(inLibrary(library), sql`${images.name} = any(${sql.param(names)})`))
    .for('key share');
  return locked.length;
};

/**
 * Whether a stored file is still needed: for an image, a profile picture, or something in the trash. It is one statement, so that it sees a
 * row that is moved to or from the trash at the same moment in one of the places.
 */
export const isFileNeeded = async (db: Queryable, name: string): Promise<boolean> => {
  const { rows } = await db.execute<{ needed: boolean }>(sql`
    select exists (select from ${images} where ${images.name} = ${name})
      or exists (select from ${profilePictures} where ${profilePictures.name} = ${`${pictureFolder}${name}`})
      or exists (select from ${trashRows} where ${trashRows.file} = ${name}) as needed`);
  return rows[0]?.needed === true;
};

/** Keeps others from adding to the libraries of a network until the transaction ends. */
export const holdLibraries = (tx: Queryable, networkId: number) =>
  tx.select({ id: networks.id }).from(networks).where(eq(networks.id, networkId)).for('no key update');

/** The size of both libraries of a network in bytes. */
export const measureLibraries = async (db: Queryable, networkId: number): Promise<number> => {
  const [sum] = await db
    .select({ bytes: sql<number>`coalesce(sum(${images.size}), 0)`.mapWith(Number) })
    .from(images)
    .where(eq(images.network_id, networkId));
  return sum?.bytes ?? 0;
};

export const insertImage = async (tx: Queryable, draft: typeof images.$inferInsert): Promise<ImageRecord> => {
  const [image] = await tx.insert(images).values(draft).returning();
  if (!image) throw new Error('The insert returned no image.');
  return image;
};

export const updateImage = async (tx: Queryable, id: number, changes: ImageChanges): Promise<ImageRecord> => {
  const [image] = await tx.update(images).set(changes).where(eq(images.id, id)).returning();
  if (!image) throw new Error('The locked image was not updated.');
  return image;
};

export const deleteImage = (tx: Queryable, id: number) => tx.delete(images).where(eq(images.id, id));

const shownBy = (networkId: number, name: string): SQL | undefined =>
  and(eq(sites.network_id, networkId), or(eq(sites.logo, name), eq(sites.background, name), eq(sites.icon_bg, name)));

/** The sites that show an image, and whether the network's own pages do. */
export const findUses = async (db: Queryable, networkId: number, name: string) => {
  const shown = await db.select({ id: sites.id, name: sites.site_name }).from(sites).where(shownBy(networkId, name));
  const [settings] = await db.select().from(networkSettings).where(eq(networkSettings.network_id, networkId));
  const isNetworks = [settings?.logo, settings?.background, settings?.footer].includes(name);
  return { sites: shown, isNetworks };
};

/** The fields that contain the name of an image. */
export const findLinks = async (db: Queryable, networkId: number, name: string): Promise<TrashLink[]> => {
  const { rows } = await db.execute<{ table: TrashLink['table']; column: string; id: string; label: string }>(sql`
    select 'sites' as table, field as column, ${sites.id} as id, word || ' of ' || ${sites.domain} as label
    from ${sites} cross join lateral (values ('logo', 'site logo', ${sites.logo}),
      ('background', 'site background', ${sites.background}), ('icon_bg', 'icon picture', ${sites.icon_bg})) as used (field, word, image)
    where ${sites.network_id} = ${networkId} and image = ${name}
    union all
    select 'network_settings', field, ${networkSettings.network_id}, word || ' of the network'
    from ${networkSettings} cross join lateral (values ('logo', 'logo', ${networkSettings.logo}),
      ('background', 'background', ${networkSettings.background}), ('footer', 'footer logo', ${networkSettings.footer})) as used (field, word, image)
    where ${networkSettings.network_id} = ${networkId} and image = ${name}`);
  return rows.map((row) => ({ ...row, id: Number(row.id), value: name, expected: null }));
};

export const clearUses = async (tx: Queryable, networkId: number, name: string): Promise<void> => {
  await tx
    .update(sites)
    .set({
      logo: sql`nullif(${sites.logo}, ${name})`,
      background: sql`nullif(${sites.background}, ${name})`,
      icon_bg: sql`nullif(${sites.icon_bg}, ${name})`,
    })
    .where(shownBy(networkId, name));
  await tx
    .update(networkSettings)
    .set({
      logo: sql`nullif(${networkSettings.logo}, ${name})`,
      background: sql`nullif(${networkSettings.background}, ${name})`,
      footer: sql`nullif(${networkSettings.footer}, ${name})`,
    })
    .where(eq(networkSettings.network_id, networkId));
};
