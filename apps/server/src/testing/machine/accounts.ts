import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const isRoot = process.getuid?.() === 0;

/** 'nobody': an account that every machine has and that owns nothing. */
export const nobody = { uid: 65_534, gid: 65_534 };

/** Whether root can run our program as `nobody`. It cannot from a clone that only root may enter. */
export const canRunAsNobody = isRoot && canRead(fileURLToPath(new URL('../../main.ts', import.meta.url)));

function canRead(path: string): boolean {
  try {
    execFileSync('test', ['-r', path], { ...nobody, cwd: '/' });
    return true;
  } catch {
    return false;
  }
}
