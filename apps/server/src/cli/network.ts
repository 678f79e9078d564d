import { ApiError } from '@opensocial/contract';
import { addOwner, createNetwork, findNetworkByName } from '../features/networks/networks.service.ts';
import { readCommand } from './network-command.ts';
import { print, runCommand } from './run-command.ts';
import { withInstallation } from './with-installation.ts';

const run = async (): Promise<void> => {
  const { verb, name, owner } = readCommand(process.argv.slice(2));
  await withInstallation(async ({ parts }) => {
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
    print(`${networkStatus}. ${ownerStatus}`);
  });
};

await runCommand(run);
