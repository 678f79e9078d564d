import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { hashPassword, verifyPassword } from '../apps/server/src/secrets/passwords.ts';
import { password } from '../apps/server/src/testing/app/builders.ts';

/** How often something can be done per second of CPU time, when nothing else runs. */
export const limitOf = async (work: () => unknown, milliseconds = 3_000): Promise<number> => {
  const end = performance.now() + milliseconds;
  const before = process.cpuUsage();
  let count = 0;
  for (; performance.now() < end; count += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return count / ((user + system) / 1_000_000);
};

export type Algorithm = 'RS256' | 'ES256';

const keys: Record<Algorithm, () => KeyObject> = {
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
};

export const signatureLimit = (algorithm: Algorithm, milliseconds?: number): Promise<number> => {
  const key = keys[algorithm]();
  const data = Buffer.alloc(1_000, 'a');
  return limitOf(() => sign('sha256', data, key), milliseconds);
};

export const argon2Limit = async (): Promise<number> => {
  const hashed = await hashPassword(password);
  return limitOf(() => verifyPassword(hashed, password));
};
