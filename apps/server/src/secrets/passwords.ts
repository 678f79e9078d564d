import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { createHashingQueue } from './hashing-queue.ts';

/** OWASP's minimum parameters for argon2id, the default algorithm of the library. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const prefix = `$argon2id$v=19$m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}$`;

let concurrency = availableParallelism();

/** At about 25 ms per hash, the last request of a lane waits one or two seconds. */
const queue = createHashingQueue({ known: 48, unknown: 64 }, () => concurrency);

/** A hash that no password matches, so that an unknown address takes the same time as a known one. */
const decoy = hash('no password has this hash', parameters);

let done = 0;

/** For the metrics: hashes since the start, waiting work, and rejected requests. */
export const readHashingState = () => ({ done, waiting: queue.length(), rejected: queue.rejections() });

/** Worker processes share the cores. */
export const shareHashing = (processes: number): void => {
  concurrency = Math.max(1, Math.floor(availableParallelism() / processes));
};

/**
 * Wraps the work of a request that will hash or verify passwords. Rejects it at once with `busy` if the queue has no
 * room for this address, account or device. Hashes inside `work` are queued in the lane of the client.
 */
export const admitHashing = queue.admit;

/** The same for a user who is identified by a session or a mailed token. */
export const admitOwnHashing = <T>(userId: number, work: () => Promise<T>): Promise<T> =>
  admitHashing({ address: `user ${userId}`, account: `user ${userId}`, isKnownDevice: true }, work);

export const hashPassword = (password: string): Promise<string> => counted(() => hash(password, parameters));

export const verifyPassword = async (passwordHash: string | null | undefined, password: string): Promise<boolean> => {
  const against = passwordHash ?? (await decoy);
  const matches = await counted(() => verify(against, password));
  return matches && passwordHash !== null && passwordHash !== undefined;
};

/** Whether a hash was made with another algorithm or other parameters than the current ones. */
export const isOutdated = (passwordHash: string): boolean => !passwordHash.startsWith(prefix);

const counted = <T>(work: () => Promise<T>): Promise<T> =>
  queue.run(() => {
    done += 1;
    return work();
  });
