import { createHmac, randomBytes } from 'node:crypto';
import type { Queryable, Transaction } from '../../database/connect.ts';
import type { Parts } from '../../parts.ts';
import type { Vault } from '../../secrets/encryption.ts';
import {
  deleteOldest,
  findAuditKey,
  findHead,
  findMainNetworkId,
  findOldest,
  insertLinks,
  lockChain,
  storeAuditKey,
  takeWaiting,
} from './audit.chain.queries.ts';
import { recordAudit } from './audit.service.ts';

const batchSize = 1_000;

/** What the first record is chained to. */
export const firstMac: Buffer = Buffer.alloc(32);

/** What the retention says about the records it deletes: `through` is the position of the last one. */
export const retentionDescription = 'delete audit records';

type Link = { position: number; previous: Buffer; content: string };

export const macOf = (key: Buffer, { position, previous, content }: Link): Buffer =>
  createHmac('sha256', key).update(`${position}\n`).update(previous).update(content).digest();

/** The key of the MACs. The first records that are chained create it. */
export const openAuditKey = async (db: Queryable, vault: Vault): Promise<Buffer | undefined> => {
  const sealed = await findAuditKey(db);
  return sealed && vault.decrypt(sealed);
};

const ensureAuditKey = async (tx: Transaction, vault: Vault): Promise<Buffer> => {
  const key = await openAuditKey(tx, vault);
  if (key) return key;
  const created = randomBytes(32);
  await storeAuditKey(tx, vault.encrypt(created));
  return created;
};

/** Adds the oldest records that wait to the chain. Returns how many, and the last link. */
const extendChain = async (tx: Transaction, vault: Vault) => {
  await lockChain(tx);
  const waiting = await takeWaiting(tx, batchSize);
  if (waiting.length === 0) return { added: 0 };
  const key = await ensureAuditKey(tx, vault);
  const head = await findHead(tx);
  let position = head?.position ?? 0;
  let mac = head?.mac ?? firstMac;
  const links = waiting.map(({ id, content }) => {
    position += 1;
    mac = macOf(key, { position, previous: mac, content });
    return { position, record_id: id, mac };
  });
  await insertLinks(tx, links);
  return { added: links.length, head: { position, mac: mac.toString('hex') } };
};

type Chaining = Pick<Parts, 'db' | 'vault' | 'log'>;

/**
 * Chains the records of transactions that have ended, and logs the last position with its MAC. With a copy of that line on another machine,
 * `npm run audit -- verify --expect` shows whether records up to that position were removed later, also from the end of the chain.
 */
export const chainAuditRecords = async ({ db, vault, log }: Chaining): Promise<void> => {
  const { added, head } = await db.transaction((tx) => extendChain(tx, vault));
  if (head) log.info({ part: 'audit', ...head }, 'The audit log was chained up to this position.');
  if (added === batchSize) await chainAuditRecords({ db, vault, log });
};

/**
 * Deletes records that are older than this many days; 0 keeps them forever. The deletion is a record itself, without which a chain that
 * does not begin with its first link is not accepted.
 */
export const deleteStaleRecords = async (parts: Chaining, days: number): Promise<void> => {
  if (days === 0) return;
  const deleted = await parts.db.transaction(async (tx) => {
    await lockChain(tx);
    const oldest = await findOldest(tx, days, batchSize);
    const young = oldest.findIndex(({ isStale }) => isStale === false);
    const stale = oldest.slice(0, young === -1 ? undefined : young).filter(({ isStale }) => isStale);
    const last = stale.at(-1);
    if (!last) return 0;
    await deleteOldest(
      tx,
      stale.map(({ record_id }) => record_id),
      last.position,
    );
    await recordAudit(tx, {
      network_id: await findMainNetworkId(tx),
      actor: { kind: 'system', name: 'retention of the audit log' },
      action: 'delete',
      object: 'other',
      subject: 'audit records',
      old_data: { records: stale.length, through: last.position, older_than_days: days },
    });
    await extendChain(tx, parts.vault);
    return stale.length;
  });
  if (deleted > 0) await deleteStaleRecords(parts, days);
};
