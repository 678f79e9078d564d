import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { createHashingQueue } from './hashing-queue.ts';

/** OWASP's minimum for argon2id, which is the library's default algorithm. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const prefix = `$argon2id$v=19$m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}$`;

let atOnce = availableParallelism();

/** At some 25 ms a hash, the last of a lane waits for one or two seconds. */
const queue = createHashingQueue({ known: 48, strangers: 64 }, () => atOnce);

/** A hash that no password has: an unknown address costs the same work as a known one. */
const decoy = hash('no password has this hash', parameters);

let done = 0;

/** For the metrics: hashes since the start, work that waits, and requests that were rejected. */
export const readHashingState = () => ({ done, waiting: queue.length(), rejected: queue.rejections() });

/** Where several processes serve, they share the cores. */
export const shareHashing = (processes: number): void => {
  atOnce = Math.max(1, Math.floor(availableParallelism() / processes));
};

/**
 * Surrounds the work of a request that will hash or compare passwords: rejects it at once with `busy` where the queue has no
 * room for this address, account or device. Whatever is hashed within takes its turn in the asker's lane.
 */
export const admitHashing = queue.admit;

/** The same for somebody who is known by a session or by a token that was mailed. */
export const admitOwnHashing = <T>(userId: number, work: () => Promise<T>): Promise<T> =>
  admitHashing({ address: `user ${userId}`, account: `user ${userId}`, isKnownDevice: true }, work);

export const hashPassword = (password: string): Promise<string> => counted(() => hash(password, parameters));

export const verifyPassword = async (passwordHash: string | null | undefined, password: string): Promise<boolean> => {
  const against = passwordHash ?? (await decoy);
  const matches = await counted(() => verify(against, password));
  return matches && passwordHash !== null && passwordHash !== undefined;
};

/** Whether a hash was made with another algorithm or other parameters than hashes are made with now. */
export const isOutdated = (passwordHash: string): boolean => !passwordHash.startsWith(prefix);

const counted = <T>(work: () => Promise<T>): Promise<T> =>
  queue.run(() => {
    done += 1;
    return work();
  });
