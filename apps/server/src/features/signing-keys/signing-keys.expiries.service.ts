import type { Database, Transaction } from '../../database/connect.ts';
import { expiryNotice } from '../../mail/notices.ts';
import type { Parts } from '../../parts.ts';
import { findEffectiveOwners } from '../owners/owners.service.ts';
import {
  type CertifiedSite,
  type ExpiryNotice,
  findEndingKeys,
  findNetworkName,
  findSitesWithCertificates,
  findSitesWithNotices,
  findSomeCertifiedSites,
  insertNotices,
} from './signing-keys.expiries.queries.ts';
import { describeCertificates } from './signing-keys.service.ts';

export { findFirstKeyEnd } from './signing-keys.expiries.queries.ts';

const day = 86_400_000;

/** How many days before its end the owners get a mail about a certificate, the last step first. */
const steps = [1, 7, 30, 60] as const;
const earliest = 60;

/** A certificate that expired longer ago is not reported: it was reported before, or is only new to this server. */
const latest = 30;

const batchSize = 500;

type Expiry = ExpiryNotice & { notAfter: Date; site?: EndingSite };

type EndingSite = { id: number; site_name: string; domain: string; use: 'signing' | 'encryption' };

/**
 * Mails the owners of each network about certificates that expire soon. A mail about a step is sent once, also if no server was running on
 * the exact day: the step is the smallest one that the remaining days fit into.
 */
export const reportExpiries = async (parts: Parts, now = new Date()): Promise<void> => {
  const expiries = [...(await findKeyExpiries(parts.db, now)), ...(await findSiteExpiries(parts.db, now))];
  for (const [networkId, due] of Map.groupBy(expiries, ({ network_id }) => network_id))
    await mailExpiries(parts, networkId, due, now);
};

const stepAt = (notAfter: Date, now: Date): number | undefined => {
  const days = (notAfter.getTime() - now.getTime()) / day;
  return days < -latest ? undefined : steps.find((step) => days <= step);
};

const toExpiry = (
  networkId: number,
  certificate: { fingerprint: string; notAfter: Date },
  now: Date,
  site?: EndingSite,
): Expiry[] => {
  const days = stepAt(certificate.notAfter, now);
  if (days === undefined) return [];
  return [{ network_id: networkId, subject: subjectOf(site), days, ...(site && { site }), ...certificate }];
};

/** A site may use the same certificate for both purposes. */
const subjectOf = (site: { id: number; use: 'signing' | 'encryption' } | undefined): string => {
  if (!site) return 'key';
  return site.use === 'signing' ? `site:${site.id}` : `site:${site.id}:encryption`;
};

const findKeyExpiries = async (db: Database, now: Date, networkId?: number): Promise<Expiry[]> => {
  // A day more than needed, because the column of older keys is some seconds early.
  const range = [new Date(now.getTime() - (latest + 1) * day), new Date(now.getTime() + (earliest + 1) * day)] as const;
  const keys = await findEndingKeys(db, ...range, networkId);
  return keys.flatMap((key) =>
    describeCertificates(key.certificate).flatMap((described) => toExpiry(key.networkId, described, now)),
  );
};

/** Of several certificates of a site, the one that ends last counts: the others are leftovers of a change at the site. */
const expiriesOf = ({ networkId, certificate, encryptionCertificate, ...site }: CertifiedSite, now: Date): Expiry[] => {
  const [last] = describeCertificates(certificate).toSorted(
    (one, other) => other.notAfter.getTime() - one.notAfter.getTime(),
  );
  return [
    ...(last ? toExpiry(networkId, last, now, { ...site, use: 'signing' }) : []),
    ...describeCertificates(encryptionCertificate).flatMap((described) =>
      toExpiry(networkId, described, now, { ...site, use: 'encryption' }),
    ),
  ];
};

/** How many sites are checked while somebody waits. Reading a certificate takes a tenth of a millisecond. */
const checkedSites = 100;

/**
 * The certificates of a network that expire soon, or have expired a short time ago, the first one first. In a network with many sites, only
 * those are checked that a notice was sent about, so that a new certificate appears on the next day.
 */
export const findEndingCertificates = async (db: Database, networkId: number, now = new Date()) => {
  const some = await findSomeCertifiedSites(db, networkId, checkedSites + 1);
  const checked = some.length <= checkedSites ? some : await findSitesWithNotices(db, networkId, checkedSites);
  const expiries = [
    ...(await findKeyExpiries(db, now, networkId)),
    ...checked.flatMap((site) => expiriesOf(site, now)),
  ];
  return expiries.toSorted((one, other) => one.notAfter.getTime() - other.notAfter.getTime());
};

const findSiteExpiries = async (db: Database, now: Date): Promise<Expiry[]> => {
  const found: Expiry[] = [];
  let lastId = 0;
  for (;;) {
    const batch = await findSitesWithCertificates(db, lastId, batchSize);
    for (const site of batch) found.push(...expiriesOf(site, now));
    lastId = batch.at(-1)?.id ?? 0;
    if (batch.length < batchSize) return found;
  }
};

const mailExpiries = (
  { db, jobs, config }: Parts,
  networkId: number,
  due: readonly Expiry[],
  now: Date,
): Promise<void> =>
  db.transaction(async (tx) => {
    const network = await findNetworkName(tx, networkId);
    if (network === undefined) return;
    const reported: Expiry[] = [];
    for (let start = 0; start < due.length; start += batchSize)
      reported.push(...(await claimNotices(tx, due.slice(start, start + batchSize))));
    if (reported.length === 0) return;
    const mail = expiryNotice(config.publicUrl, network, reported, now);
    const owners = await findEffectiveOwners(tx, networkId);
    await jobs.sendMail(tx, ...owners.map((to) => ({ to, ...mail })));
  });

/** Records the notices about certificates, and returns the certificates whose notice was not recorded before. */
const claimNotices = async (tx: Transaction, due: readonly Expiry[]): Promise<Expiry[]> => {
  const nameOf = ({ subject, fingerprint }: Pick<Expiry, 'subject' | 'fingerprint'>) => `${subject} ${fingerprint}`;
  const inserted = await insertNotices(
    tx,
    due.map(({ network_id, subject, fingerprint, days }) => ({ network_id, subject, fingerprint, days })),
  );
  const unsent = new Set(inserted.map(nameOf));
  return due.filter((expiry) => unsent.has(nameOf(expiry)));
};
