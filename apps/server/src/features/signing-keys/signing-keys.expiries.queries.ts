import { and, asc, eq, gt, isNotNull, lt, min, or, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '../../database/connect.ts';
import { expiryNotices, networks, signingKeys, sites } from '../../database/schema.ts';
import { usedEncryptionCertificate } from './signing-keys.queries.ts';

export type ExpiryNotice = Omit<typeof expiryNotices.$inferSelect, 'sent_at'>;

/** A retired key that no site uses does not matter. */
const isInUse = sql`(${signingKeys.state} <> 'retired' or exists (select from ${sites} where ${sites.signing_key_id} = ${signingKeys.id}))`;

/** When the first of the keys of all networks ends. */
export const findFirstKeyEnd = async (db: Queryable): Promise<Date | null> => {
  const [found] = await db
    .select({ end: min(signingKeys.not_after) })
    .from(signingKeys)
    .where(isInUse);
  return found?.end ?? null;
};

/** The keys that end between two times, of one network or all. */
export const findEndingKeys = (db: Queryable, after: Date, before: Date, networkId?: number) =>
  db
    .select({ networkId: signingKeys.network_id, state: signingKeys.state, certificate: signingKeys.certificate })
    .from(signingKeys)
    .where(
      and(
        networkId === undefined ? undefined : eq(signingKeys.network_id, networkId),
        gt(signingKeys.not_after, after),
        lt(signingKeys.not_after, before),
        isInUse,
      ),
    );

const certifiedSite = {
  id: sites.id,
  networkId: sites.network_id,
  site_name: sites.site_name,
  domain: sites.domain,
  certificate: sites.certificate,
  encryptionCertificate: usedEncryptionCertificate,
};

export type CertifiedSite = Awaited<ReturnType<typeof findSitesWithCertificates>>[number];

const hasCertificate = and(
  eq(sites.kind, 'site'),
  or(isNotNull(sites.certificate), isNotNull(usedEncryptionCertificate)),
);

/** The next sites with certificates, by id. */
export const findSitesWithCertificates = (db: Queryable, lastId: number, size: number) =>
  db
    .select(certifiedSite)
    .from(sites)
    .where(and(gt(sites.id, lastId), hasCertificate))
    .orderBy(asc(sites.id))
    .limit(size);

/** Sites with certificates of a network, up to a number. */
export const findSomeCertifiedSites = (db: Queryable, networkId: number, most: number) =>
  db
    .select(certifiedSite)
    .from(sites)
    .where(and(eq(sites.network_id, networkId), hasCertificate))
    .limit(most);

/** The sites of a network that a notice was sent about. */
export const findSitesWithNotices = (db: Queryable, networkId: number, most: number) =>
  db
    .select(certifiedSite)
    .from(sites)
    .where(
      and(
        eq(sites.network_id, networkId),
        hasCertificate,
        sql`${sites.id} in (select split_part(${expiryNotices.subject}, ':', 2)::bigint from ${expiryNotices}
          where ${expiryNotices.network_id} = ${networkId} and ${expiryNotices.subject} like 'site:%')`,
      ),
    )
    .limit(most);

/** Inserts the notices that were not sent yet, and returns them. */
export const insertNotices = (tx: Transaction, notices: readonly ExpiryNotice[]) =>
  tx
    .insert(expiryNotices)
    .values([...notices])
    .onConflictDoNothing()
    .returning({ subject: expiryNotices.subject, fingerprint: expiryNotices.fingerprint });

export const findNetworkName = async (tx: Queryable, id: number): Promise<string | undefined> => {
  const [found] = await tx.select({ name: networks.name }).from(networks).where(eq(networks.id, id)).for('key share');
  return found?.name;
};
