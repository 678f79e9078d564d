import { parseArgs } from 'node:util';
import { Email, NetworkName } from '@opensocial/contract';
import { ConfigError } from '../config.ts';
import { parseCommand } from './command-line.ts';

export type NetworkCommand = { verb: 'create' | 'invite'; name: string; owner: string };

const usage = `Usage:
  npm run network -- create NAME --owner EMAIL    create a network
  npm run network -- invite NAME --owner EMAIL    add an owner, or send an owner a new activation link`;

/** Parses the arguments after `npm run network --`. Invalid arguments are reported together with the usage. */
export const readCommand = (args: string[]): NetworkCommand => {
  const { values, positionals } = parseCommand(usage, () =>
    parseArgs({ args, options: { owner: { type: 'string' } }, allowPositionals: true }),
  );
  const [verb, name = '', ...rest] = positionals;
  if ((verb !== 'create' && verb !== 'invite') || rest.length > 0) throw new ConfigError(usage);
  const named = NetworkName.safeParse(name);
  if (!named.success) throw new ConfigError(`NAME: ${named.error.issues[0]?.message}.\n${usage}`);
  const owner = Email.safeParse(values.owner ?? '');
  if (!owner.success) throw new ConfigError(`--owner must be an email address.\n${usage}`);
  return { verb, name: named.data, owner: owner.data };
};
