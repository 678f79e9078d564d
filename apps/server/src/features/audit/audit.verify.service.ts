import type { Database, Queryable } from '../../database/connect.ts';
import type { Vault } from '../../secrets/encryption.ts';
import { countWaiting, findHead, findLinks, findUnchained } from './audit.chain.queries.ts';
import { firstMac, macOf, openAuditKey, retentionDescription } from './audit.chain.service.ts';

/** A position of the chain and its MAC in hexadecimal, as the log of a server has it. */
export type ChainPlace = { position: number; mac: string };

export type Verification = {
  /** What is wrong, as sentences. */
  faults: string[];
  checked: number;
  /** Records of the last minute or so, which are not in the chain yet. */
  waiting: number;
  head: ChainPlace | undefined;
};

const batchSize = 1_000;

/** More faults than this are not listed. */
const maximumFaults = 100;

type Links = Awaited<ReturnType<typeof findLinks>>;

async function* linksOf(db: Queryable): AsyncGenerator<Links[number]> {
  for (let after = -1; ; ) {
    const links = await findLinks(db, after, batchSize);
    yield* links;
    const last = links.at(-1);
    if (!last || links.length < batchSize) return;
    after = last.position;
  }
}

/** The position through which the retention has deleted records, if that is what a record says. */
const deletedThrough = ({ description, data }: Links[number]): number | undefined => {
  if (description !== retentionDescription || typeof data !== 'object' || data === null) return undefined;
  const through: unknown = Reflect.get(data, 'through');
  return typeof through === 'number' ? through : undefined;
};

/**
 * Computes the MAC of every record again. `expected` are places from the log of the server: they must be in the chain, unless the retention
 * has deleted them since.
 */
export const verifyAuditLog = (
  db: Database,
  vault: Vault,
  expected: readonly ChainPlace[] = [],
): Promise<Verification> =>
  // Servers may extend the chain meanwhile; all queries see the same moment.
  db.transaction((tx) => verify(tx, vault, expected), { isolationLevel: 'repeatable read', accessMode: 'read only' });

const verify = async (tx: Queryable, vault: Vault, expected: readonly ChainPlace[]): Promise<Verification> => {
  const key = await openAuditKey(tx, vault);
  const head = await findHead(tx);
  const found: Verification = {
    faults: [],
    checked: 0,
    waiting: await countWaiting(tx),
    head: head && { position: head.position, mac: head.mac.toString('hex') },
  };
  if (head && !key) return { ...found, faults: ['The key of the audit log is missing.'] };
  const awaited = new Map(expected.map(({ position, mac }) => [position, mac]));
  const deletions = new Set<number>();
  let start: number | undefined;
  let previous: { position: number; mac: Buffer } = { position: 0, mac: firstMac };
  for await (const link of linksOf(tx)) {
    const { position, record_id, mac, content } = link;
    const isStart = previous.position === 0 && content === null;
    if (isStart) start = position;
    else if (position !== previous.position + 1)
      found.faults.push(`The positions from ${previous.position + 1} to ${position - 1} are missing.`);
    else if (content === null) found.faults.push(`Record ${record_id} at position ${position} was deleted.`);
    else if (key && !macOf(key, { position, previous: previous.mac, content }).equals(mac))
      found.faults.push(`Record ${record_id} at position ${position} was changed.`);
    else found.checked += 1;
    const wanted = awaited.get(position);
    if (wanted !== undefined && wanted !== mac.toString('hex'))
      found.faults.push(`Position ${position} has another MAC than expected.`);
    awaited.delete(position);
    const through = deletedThrough(link);
    if (through !== undefined) deletions.add(through);
    previous = { position, mac };
    if (found.faults.length >= maximumFaults) return found;
  }
  if (start !== undefined && !deletions.has(start))
    found.faults.push(`The positions before ${start} were not deleted by the retention.`);
  for (const position of awaited.keys())
    if (position > (start ?? 0)) found.faults.push(`Position ${position} is expected and missing.`);
  for (const { id } of await findUnchained(tx, maximumFaults - found.faults.length))
    found.faults.push(`Record ${id} was added without the chain.`);
  return found;
};
