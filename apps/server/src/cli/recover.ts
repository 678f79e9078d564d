import { ConfigError } from '../config.ts';
import { findLockedOutOwner, recoverOwner } from '../features/users/users.recovery.service.ts';
import { confirm } from './confirm.ts';
import { readRecoverCommand } from './recover-command.ts';
import { print, runCommand } from './run-command.ts';
import { withInstallation } from './with-installation.ts';

const describe = (email: string, networks: readonly string[]): string => {
  const others = networks.length - 5;
  const names = networks.slice(0, 5).join(', ') + (others > 0 ? ` and ${others} more` : '');
  return `${email} is an owner of ${names}. The password, second factors and passkeys of this account will be removed, and all its sessions end.`;
};

const run = async (): Promise<void> => {
  const { email, isConfirmed, enables } = readRecoverCommand(process.argv.slice(2));
  await withInstallation(async ({ parts }) => {
    const { ownerships } = await findLockedOutOwner(parts.db, email, { enables });
    const consequences = describe(
      email,
      ownerships.map(({ network }) => network),
    );
    if (!isConfirmed && !(await confirm(consequences, 'recover'))) throw new ConfigError('Nothing was changed.');
    const { link } = await parts.db.transaction((tx) => recoverOwner(tx, parts, email, { enables }));
    print(`Give this link to ${email}. It works once, within an hour:\n${link}`);
  });
};

await runCommand(run);
