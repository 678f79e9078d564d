import type { Transaction } from '../../database/connect.ts';
import { type MetadataNews, metadataNotice } from '../../mail/notices.ts';
import type { Parts } from '../../parts.ts';
import { findEffectiveOwners } from '../owners/owners.service.ts';
import { digestOf } from './sites.differences.ts';
import {
  deleteOldNotices,
  findReportable,
  insertRefreshNotices,
  lockExisting,
  type RefreshNotice,
} from './sites.refresh.queries.ts';
import { differencesOf, type Refreshed } from './sites.refresh.service.ts';

const day = 86_400_000;

/** Shorter failures are not reported. */
const patience = 7 * day;

const batchSize = 500;

type News = RefreshNotice & MetadataNews & { networkId: number; network: string };

/**
 * Mails the owners of each network about sites whose metadata has changed, cannot be read or has expired. It is one mail per network for
 * all sites, and each matter is reported once.
 */
export const reportRefreshes = async (parts: Parts, now = new Date()): Promise<void> => {
  await deleteOldNotices(parts.db);
  const news = await findNews(parts, now);
  for (const [networkId, ofNetwork] of Map.groupBy(news, (each) => each.networkId))
    await mailNews(parts, networkId, ofNetwork);
};

const findNews = async ({ db }: Parts, now: Date): Promise<News[]> => {
  const found: News[] = [];
  let lastId = 0;
  for (;;) {
    const batch = await findReportable(db, lastId, batchSize, new Date(now.getTime() - patience), now);
    for (const { network, ...refreshed } of batch) found.push(...toNews(refreshed, network, now));
    lastId = batch.at(-1)?.site.id ?? 0;
    if (batch.length < batchSize) return found;
  }
};

const toNews = ({ site, state }: Refreshed, network: string, now: Date): News[] => {
  const common = { site_id: site.id, domain: site.domain, networkId: site.network_id, network };
  const news: News[] = [];
  const differences = differencesOf(site, state);
  if (differences.length > 0)
    news.push({
      ...common,
      kind: 'differences',
      digest: digestOf(differences),
      differences: differences.map(({ title, before, after }) => ({ title, before, after })),
    });
  if (state.valid_until && state.valid_until <= now)
    news.push({ ...common, kind: 'expiry', digest: state.valid_until.toISOString(), validUntil: state.valid_until });
  else if (state.failing_since && now.getTime() - state.failing_since.getTime() >= patience)
    news.push({
      ...common,
      kind: 'failure',
      digest: state.failing_since.toISOString(),
      failingSince: state.failing_since,
      reason: state.failure,
    });
  return news;
};

const mailNews = ({ db, jobs, config }: Parts, networkId: number, news: readonly News[]): Promise<void> =>
  db.transaction(async (tx) => {
    const unsent: News[] = [];
    for (let start = 0; start < news.length; start += batchSize)
      unsent.push(...(await claimNews(tx, news.slice(start, start + batchSize))));
    const [first] = unsent;
    if (!first) return;
    const mail = metadataNotice(config.publicUrl, first.network, unsent);
    const owners = await findEffectiveOwners(tx, networkId);
    await jobs.sendMail(tx, ...owners.map((to) => ({ to, ...mail })));
  });

/** Records the notices, and returns the news whose notice was not recorded before. */
const claimNews = async (tx: Transaction, news: readonly News[]): Promise<News[]> => {
  const existing = await lockExisting(tx, [...new Set(news.map(({ site_id }) => site_id))]);
  const present = news.filter(({ site_id }) => existing.has(site_id));
  if (present.length === 0) return [];
  const nameOf = ({ site_id, kind, digest }: RefreshNotice) => `${site_id} ${kind} ${digest}`;
  const inserted = await insertRefreshNotices(
    tx,
    present.map(({ site_id, kind, digest }) => ({ site_id, kind, digest })),
  );
  const unsent = new Set(inserted.map(nameOf));
  return present.filter((each) => unsent.has(nameOf(each)));
};
