import { ConfigError, readConfig } from '../config.ts';
import { findLockedOutOwner, recoverOwner } from '../features/users/users.recovery.service.ts';
import { createLog } from '../log.ts';
import { open } from '../process/start.ts';
import { startupErrorMessage } from '../process/startup-error.ts';
import { confirm } from './confirm.ts';
import { readRecoverCommand } from './recover-command.ts';

const describe = (email: string, networks: readonly string[]): string => {
  const others = networks.length - 5;
  const names = networks.slice(0, 5).join(', ') + (others > 0 ? ` and ${others} more` : '');
  return `${email} is an owner of ${names}. The password, second factors and passkeys of this account will be removed, and all its sessions end.`;
};

const run = async (): Promise<string> => {
  const { email, isConfirmed, enables } = readRecoverCommand(process.argv.slice(2));
  const config = readConfig(process.env);
  const { parts, close } = await open(config, createLog('silent'), { besideServer: true });
  try {
    const { ownerships } = await findLockedOutOwner(parts.db, email, { enables });
    const consequences = describe(
      email,
      ownerships.map(({ network }) => network),
    );
    if (!isConfirmed && !(await confirm(consequences, 'recover'))) throw new ConfigError('Nothing was changed.');
    const { link } = await parts.db.transaction((tx) => recoverOwner(tx, parts, email, { enables }));
    return `Give this link to ${email}. It works once, within an hour:\n${link}`;
  } finally {
    await close();
  }
};

try {
  process.stdout.write(`${await run()}\n`);
} catch (error) {
  process.stderr.write(`${startupErrorMessage(error)}\n`);
  process.exit(1);
}
