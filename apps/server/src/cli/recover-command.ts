import { parseArgs } from 'node:util';
import { Email } from '@opensocial/contract';
import { ConfigError } from '../config.ts';
import { parseCommand } from './command-line.ts';

export type RecoverCommand = { email: string; isConfirmed: boolean; enables: boolean };

const usage = `Usage:
  npm run recover -- EMAIL             make a link for a new password for a locked-out owner, and remove the second factors
  npm run recover -- EMAIL --enable    the same for an account that is disabled, and enable it
  npm run recover -- EMAIL --yes       do not ask for confirmation`;

/** Parses the arguments after `npm run recover --`. Invalid arguments are reported together with the usage. */
export const readRecoverCommand = (args: string[]): RecoverCommand => {
  const { values, positionals } = parseCommand(usage, () =>
    parseArgs({
      args,
      options: { yes: { type: 'boolean' }, enable: { type: 'boolean' } },
      allowPositionals: true,
    }),
  );
  const [given = '', ...rest] = positionals;
  const email = Email.safeParse(given);
  if (!email.success || rest.length > 0) throw new ConfigError(`EMAIL must be one email address.\n${usage}`);
  return { email: email.data, isConfirmed: values.yes === true, enables: values.enable === true };
};
