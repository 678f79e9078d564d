import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { ApiError } from '@opensocial/contract';

/** OWASP's minimum for argon2id, which is the library's default algorithm. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

let atOnce = availableParallelism();
const longestQueue = 64;

/** A hash of nothing anyone knows: an unknown address costs the same work as a known one. */
const decoy = hash('no password has this hash', parameters);

let running = 0;
let done = 0;
const waiting: (() => void)[] = [];

/** How often a password was hashed or compared since the start. */
export const countHashings = (): number => done;

/** Where several processes serve, they share the cores. */
export const shareHashing = (processes: number): void => {
  atOnce = Math.max(1, Math.floor(availableParallelism() / processes));
};

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, parameters));

export const verifyPassword = async (passwordHash: string | null | undefined, password: string): Promise<boolean> => {
  const against = passwordHash ?? (await decoy);
  const matches = await inTurn(() => verify(against, password));
  return matches && passwordHash !== null && passwordHash !== undefined;
};

/** Hashing is the one thing a stranger can make us compute: as many at once as there are cores, and a short queue. */
const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  if (running >= atOnce) {
    if (waiting.length >= longestQueue) throw new ApiError('unavailable', { retryAfter: 2 });
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running += 1;
  }
  try {
    done += 1;
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
};
