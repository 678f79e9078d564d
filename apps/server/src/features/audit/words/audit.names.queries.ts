import { siteLabel } from '@opensocial/contract';
import { and, eq, inArray } from 'drizzle-orm';
import type { Queryable } from '../../../database/connect.ts';
import { groups, images, memberships, signingKeys, sites, users } from '../../../database/schema.ts';
import { describeCertificate } from '../../../secrets/signing-keys.ts';

type Kind = 'group' | 'site' | 'user' | 'key' | 'image';

/** The names of records that audit records refer to: by id, images by the name of their file. */
export type Names = Readonly<Record<Kind, ReadonlyMap<string, string>>>;

/** The records whose names are wanted. */
export type Wanted = Readonly<Record<Kind, ReadonlySet<string>>>;

const isId = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text);
const toIds = (wanted: ReadonlySet<string>): number[] => [...wanted].filter(isId).map(Number);

const keyStates = { current: 'Current key', next: 'Next key', retired: 'Retired key' } as const;

const toMap = <Row>(rows: readonly Row[], keyOf: (row: Row) => string | number, nameOf: (row: Row) => string) =>
  new Map(rows.map((row) => [String(keyOf(row)), nameOf(row)]));

/** Finds the names of records that still exist and belong to the network. Names of other networks are never found. */
export const findNames = async (db: Queryable, networkId: number, wanted: Wanted): Promise<Names> => {
  const [groupIds, siteIds, userIds, keyIds] = [wanted.group, wanted.site, wanted.user, wanted.key].map(toIds);
  const ifAny = async <Row>(ids: readonly unknown[] | undefined, find: () => PromiseLike<Row[]>): Promise<Row[]> =>
    ids && ids.length > 0 ? find() : [];
  const foundGroups = await ifAny(groupIds, () =>
    db
      .select({ id: groups.id, name: groups.name })
      .from(groups)
      .where(and(eq(groups.network_id, networkId), inArray(groups.id, groupIds ?? []))),
  );
  const foundSites = await ifAny(siteIds, () =>
    db
      .select({ id: sites.id, site_name: sites.site_name, domain: sites.domain })
      .from(sites)
      .where(and(eq(sites.network_id, networkId), inArray(sites.id, siteIds ?? []))),
  );
  const foundUsers = await ifAny(userIds, () =>
    db
      .select({ id: users.id, email: users.email })
      .from(users)
      .innerJoin(memberships, eq(memberships.user_id, users.id))
      .where(and(eq(memberships.network_id, networkId), inArray(users.id, userIds ?? []))),
  );
  const foundKeys = await ifAny(keyIds, () =>
    db
      .select({ id: signingKeys.id, state: signingKeys.state, certificate: signingKeys.certificate })
      .from(signingKeys)
      .where(and(eq(signingKeys.network_id, networkId), inArray(signingKeys.id, keyIds ?? []))),
  );
  const imageNames = [...wanted.image];
  const foundImages = await ifAny(imageNames, () =>
    db
      .select({ name: images.name, title: images.title, file_name: images.file_name })
      .from(images)
      .where(and(eq(images.network_id, networkId), inArray(images.name, imageNames))),
  );
  return {
    group: toMap(
      foundGroups,
      ({ id }) => id,
      ({ name }) => name,
    ),
    site: toMap(foundSites, ({ id }) => id, siteLabel),
    user: toMap(
      foundUsers,
      ({ id }) => id,
      ({ email }) => email,
    ),
    key: toMap(
      foundKeys,
      ({ id }) => id,
      ({ state, certificate }) => `${keyStates[state]} ${describeCertificate(certificate).fingerprint.slice(0, 11)}`,
    ),
    image: toMap(
      foundImages,
      ({ name }) => name,
      ({ title, file_name, name }) => title || file_name || name,
    ),
  };
};
