import { and, asc, eq, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import { type Database, nested, type Queryable, type Transaction } from '../../database/connect.ts';
import { contains, readPage } from '../../database/paging.ts';
import { signingKeys, signingKeyUses, siteRefreshes, sites, users } from '../../database/schema.ts';
import type { MadeKey } from '../../secrets/signing-keys.ts';

export type SigningKeyRecord = typeof signingKeys.$inferSelect;

/** Joins a site to the key that signs its responses: the key that it was switched to, or the current key of its network. */
export const isKeyOfSite = sql`${signingKeys.network_id} = ${sites.network_id} and case
  when ${sites.signing_key_id} is null then ${signingKeys.state} = 'current' else ${signingKeys.id} = ${sites.signing_key_id} end`;

/** A certificate for encryption matters only while the site encrypts. */
export const usedEncryptionCertificate = nested<string | null>(
  sql`case when ${sites.encrypts} then ${sites.encryption_certificate} end`,
);

/** Sites that use OpenID Connect do not use these keys. */
const isAdministered = (networkId: number): SQL =>
  sql`${sites.network_id} = ${networkId} and ${sites.kind} = 'site' and ${sites.protocol} = 'saml'`;

export const countSites = (db: Queryable, networkId: number) => db.$count(sites, isAdministered(networkId));

/** The keys of a network, the current one first. The console is not counted as a site. */
export const findKeys = (db: Queryable, networkId: number) =>
  db
    .select({
      key: signingKeys,
      triedBy: users.email,
      sites: nested<number>(
        sql`(select count(*)::int from ${sites} where ${isAdministered(networkId)} and ${isKeyOfSite})`,
      ),
      usedBy: nested<number>(
        sql`(select count(*)::int from ${signingKeyUses} join ${sites} on ${sites.id} = ${signingKeyUses.site_id}
          where ${signingKeyUses.key_id} = ${signingKeys.id} and ${sites.kind} = 'site')`,
      ),
    })
    .from(signingKeys)
    .leftJoin(users, eq(users.id, signingKeys.tried_by))
    .where(eq(signingKeys.network_id, networkId))
    .orderBy(asc(signingKeys.state), sql`${signingKeys.id} desc`);

type SitesQuery = { keyword?: string | undefined; lastId: number; size: number };

export const readKeySites = (db: Queryable, networkId: number, { keyword, ...page }: SitesQuery) =>
  readPage(
    db,
    sites,
    {
      id: sites.id,
      site_name: sites.site_name,
      domain: sites.domain,
      certificate: sites.certificate,
      encryptionCertificate: usedEncryptionCertificate,
      keyId: nested<number>(sql`(select ${signingKeys.id}::int from ${signingKeys} where ${isKeyOfSite})`),
      verifiesEcdsa: nested<boolean>(
        sql`exists (select from ${siteRefreshes} where ${siteRefreshes.site_id} = ${sites.id}
          and ${siteRefreshes.found} -> 'verifies_ecdsa' = 'true'::jsonb)`,
      ),
      uses: nested<{ key_id: number; at: string }[]>(
        sql`(select coalesce(json_agg(json_build_object('key_id', ${signingKeyUses.key_id}, 'at', ${signingKeyUses.last_used_at})
            order by ${signingKeyUses.last_used_at} desc), '[]'::json)
          from ${signingKeyUses} where ${signingKeyUses.site_id} = ${sites.id})`,
      ),
    },
    {
      order: { by: sites.domain, id: sites.id },
      scope: isAdministered(networkId),
      match: or(contains(sites.domain, keyword), contains(sites.site_name, keyword)),
      ...page,
    },
  );

/** Locks the keys of a network until the transaction ends, so that changes of their states happen one after the other. */
export const lockKeys = (tx: Transaction, networkId: number) =>
  tx.select().from(signingKeys).where(eq(signingKeys.network_id, networkId)).orderBy(asc(signingKeys.id)).for('update');

export const insertKey = async (
  tx: Queryable,
  networkId: number,
  state: 'current' | 'next',
  { algorithm, certificate, notAfter }: MadeKey,
  privateKey: Buffer,
) => {
  const [inserted] = await tx
    .insert(signingKeys)
    .values({ network_id: networkId, state, algorithm, certificate, private_key: privateKey, not_after: notAfter })
    .returning();
  if (!inserted) throw new Error('The insert returned no key.');
  return inserted;
};

export const updateKey = (
  tx: Queryable,
  id: number,
  changes: Partial<Pick<SigningKeyRecord, 'state' | 'retired_at' | 'tried_by' | 'tried_until'>>,
) => tx.update(signingKeys).set(changes).where(eq(signingKeys.id, id));

export const deleteKey = (tx: Queryable, id: number) => tx.delete(signingKeys).where(eq(signingKeys.id, id));

/** Sets the key of a site; null means the current one of the network. Returns the former value, or undefined without the site. */
export const setKeyOfSite = async (tx: Transaction, networkId: number, siteId: number, keyId: number | null) => {
  const [site] = await tx
    .select({ domain: sites.domain, keyId: sites.signing_key_id })
    .from(sites)
    .where(and(isAdministered(networkId), eq(sites.id, siteId)))
    .for('no key update');
  if (site) await tx.update(sites).set({ signing_key_id: keyId }).where(eq(sites.id, siteId));
  return site;
};

/** Lets every site of a network use the current key, or only the sites that use the given one. */
export const releaseSites = (tx: Transaction, networkId: number, keyId?: number) =>
  tx
    .update(sites)
    .set({ signing_key_id: null })
    .where(
      and(
        eq(sites.network_id, networkId),
        keyId === undefined ? isNotNull(sites.signing_key_id) : eq(sites.signing_key_id, keyId),
      ),
    );

/** Names a key for the sites that use the current key. The console is left out: it trusts every key of its network. */
export const keepSites = (tx: Transaction, networkId: number, keyId: number) =>
  tx
    .update(sites)
    .set({ signing_key_id: keyId })
    .where(and(isAdministered(networkId), isNull(sites.signing_key_id)));

/** The lock on the key row waits for its removal, after which there is nothing to insert. */
export const upsertKeyUse = (db: Database, keyId: number, siteId: number) =>
  db.execute(sql`
    with used as (select id from ${signingKeys} where id = ${keyId} for key share),
      entered as (select id from ${sites} where id = ${siteId} for key share)
    insert into ${signingKeyUses} (key_id, site_id) select used.id, entered.id from used, entered
    on conflict (key_id, site_id) do update set last_used_at = now()
      where signing_key_uses.last_used_at < now() - interval '1 hour'`);
