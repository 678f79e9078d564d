import type { NetworkMode } from '@opensocial/contract';
import type { Database } from '../../database/connect.ts';
import { actorOf, type Caller } from '../../http/actor.ts';
import { assertUnchanged, readVersion, recordAudit } from '../audit/audit.service.ts';
import { getNetworkMode, updateNetworkMode } from './networks.queries.ts';

export { getNetworkMode } from './networks.queries.ts';

/** Changes the mode of a network, and returns the version after the change. */
export const changeNetworkMode = (
  db: Database,
  caller: Caller,
  modeOf: (network: { mode: NetworkMode }) => NetworkMode,
  version?: number,
): Promise<number> =>
  db.transaction(async (tx) => {
    const { id: networkId } = caller.network;
    const subject = `network:${networkId}` as const;
    const before = await getNetworkMode(tx, networkId, true);
    const mode = modeOf(before);
    await assertUnchanged(tx, { subject, networkId, version }, before, { mode });
    await updateNetworkMode(tx, networkId, mode);
    await recordAudit(tx, {
      ...actorOf(caller),
      action: 'update',
      object: 'network',
      subject: 'network mode',
      subject_key: subject,
      old_data: before,
      new_data: { mode },
    });
    return readVersion(tx, subject);
  });
