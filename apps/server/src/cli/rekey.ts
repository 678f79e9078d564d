import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '../config.ts';
import { describeKeys, rekey } from '../features/secret-keys/secret-keys.rekey.service.ts';
import { createLog } from '../log.ts';
import { open } from '../process/start.ts';
import { startupErrorMessage } from '../process/startup-error.ts';

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

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Returns whether no value needs another key than the current one. */
const run = async (): Promise<boolean> => {
  const onlyCheck = isCheck();
  const config = readConfig(process.env);
  const { parts, background, close } = await open(config, createLog('silent'), { besideServer: true });
  try {
    if (!onlyCheck) return await rekey(background, parts.vault, { report: print });
    (await describeKeys(background.db, parts.vault)).forEach(print);
    return true;
  } finally {
    await close();
  }
};

try {
  process.exitCode = (await run()) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${startupErrorMessage(error)}\n`);
  process.exit(1);
}
