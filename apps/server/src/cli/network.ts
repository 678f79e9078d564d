import { ApiError } from '@opensocial/contract';
import { readConfig } from '../config.ts';
import { addOwner, createNetwork, findNetworkByName } from '../features/networks/networks.service.ts';
import { createLog } from '../log.ts';
import { open } from '../process/start.ts';
import { startupErrorMessage } from '../process/startup-error.ts';
import { readCommand } from './network-command.ts';

const run = async (): Promise<string> => {
  const { verb, name, owner } = readCommand(process.argv.slice(2));
  const config = readConfig(process.env);
  const { parts, close } = await open(config, createLog('silent'), { besideServer: true });
  try {
    const { link } = await parts.db.transaction(async (tx) => {
      const network =
        verb === 'create' ? await createNetwork(tx, parts, name) : (await findNetworkByName(tx, name))?.network;
      if (!network) throw new ApiError('not_found', { message: `There is no network ${name}.` });
      return addOwner(tx, parts, network, owner, { withMail: true });
    });
    const networkStatus = verb === 'create' ? `The network ${name} was created` : `The network ${name} is unchanged`;
    const ownerStatus = link
      ? `${owner} has been sent this activation link:\n${link}`
      : `${owner} is its owner and can sign in.`;
    return `${networkStatus}. ${ownerStatus}`;
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
