import { parseArgs } from 'node:util';
import { ApiError, Email, NetworkName } from '@opensocial/contract';
import { ConfigError, readConfig } from './config.ts';
import { addOwner, createNetwork, findNetworkByName } from './features/networks/networks.service.ts';
import { createLog } from './log.ts';
import { toSentence } from './sentence.ts';
import { open } from './start.ts';

const usage = `Usage:
  npm run network -- create NAME --owner EMAIL    make a network
  npm run network -- invite NAME --owner EMAIL    add an owner, or give one who lost it a new activation link`;

const readCommand = () => {
  const { values, positionals } = parseArgs({ options: { owner: { type: 'string' } }, allowPositionals: true });
  const [verb, name = '', ...rest] = positionals;
  if ((verb !== 'create' && verb !== 'invite') || rest.length > 0) throw new ConfigError(usage);
  const named = NetworkName.safeParse(name);
  if (!named.success) throw new ConfigError(`NAME: ${named.error.issues[0]?.message}.\n${usage}`);
  const owner = Email.safeParse(values.owner ?? '');
  if (!owner.success) throw new ConfigError(`--owner must be an email address.\n${usage}`);
  return { verb, name: named.data, owner: owner.data };
};

const run = async (): Promise<string> => {
  const { verb, name, owner } = readCommand();
  const config = readConfig(process.env);
  const { parts, close } = await open(config, createLog('silent'), { besideServer: true });
  try {
    const { link } = await parts.db.transaction(async (tx) => {
      const network =
        verb === 'create' ? await createNetwork(tx, parts, name) : (await findNetworkByName(tx, name))?.network;
      if (!network) throw new ApiError('not_found', { message: `There is no network ${name}.` });
      return addOwner(tx, parts, network, owner, { withMail: true });
    });
    const what = verb === 'create' ? `The network ${name} is made` : `The network ${name} is unchanged`;
    const whose = link
      ? `${owner} has been sent this activation link:\n${link}`
      : `${owner} is its owner and can sign in.`;
    return `${what}. ${whose}`;
  } finally {
    await close();
  }
};

try {
  process.stdout.write(`${await run()}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof TypeError ? `${error.message}\n${usage}` : toSentence(error)}\n`);
  process.exit(1);
}
