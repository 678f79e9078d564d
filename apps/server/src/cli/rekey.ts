import { parseArgs } from 'node:util';
import { ConfigError } from '../config.ts';
import { describeKeys, rekey } from '../features/secret-keys/secret-keys.rekey.service.ts';
import { print, runCommand } from './run-command.ts';
import { withInstallation } from './with-installation.ts';

const usage = `Usage:
  npm run rekey               encrypt everything with the first of SECRET_KEYS
  npm run rekey -- --check    only count what each key encrypts`;

const isCheck = (): boolean => {
  try {
    return parseArgs({ options: { check: { type: 'boolean' } } }).values.check === true;
  } catch (cause) {
    throw new ConfigError(`${(cause as Error).message}\n${usage}`, { cause });
  }
};

/** Returns whether no value needs another key than the current one. */
const run = async (): Promise<boolean> => {
  const onlyCheck = isCheck();
  return withInstallation(async ({ parts, background }) => {
    if (!onlyCheck) return await rekey(background, parts.vault, { report: print });
    (await describeKeys(background.db, parts.vault)).forEach(print);
    return true;
  });
};

await runCommand(run);
