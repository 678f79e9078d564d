import { and, asc, eq, gt, isNotNull, lt, or, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '../../database/connect.ts';
import { expiryNotices, networks, signingKeys, sites } from '../../database/schema.ts';
import { usedEncryptionCertificate } from './signing-keys.queries.ts';

export type ExpiryNotice = Omit<typeof expiryNotices.$inferSelect, 'sent_at'>;

/** The keys that end between two times. A retired key that no site uses does not matter. */
export const findEndingKeys = (db: Queryable, after: Date, before: Date) =>
  db
    .select({ networkId: signingKeys.network_id, state: signingKeys.state, certificate: signingKeys.certificate })
    .from(signingKeys)
    .where(
      and(
        gt(signingKeys.not_after, after),
        lt(signingKeys.not_after, before),
        sql`(${signingKeys.state} <> 'retired' or exists (select from ${sites} where ${sites.signing_key_id} = ${signingKeys.id}))`,
      ),
    );

/** The next sites with certificates, by id. */
export const findSitesWithCertificates = (db: Queryable, lastId: number, size: number) =>
  db
    .select({
      id: sites.id,
      networkId: sites.network_id,
      domain: sites.domain,
      certificate: sites.certificate,
      encryptionCertificate: usedEncryptionCertificate,
    })
    .from(sites)
    .where(
      and(
        gt(sites.id, lastId),
        eq(sites.kind, 'site'),
        or(isNotNull(sites.certificate), isNotNull(usedEncryptionCertificate)),
      ),
    )
    .orderBy(asc(sites.id))
    .limit(size);

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
