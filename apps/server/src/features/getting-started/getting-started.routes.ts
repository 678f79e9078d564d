import {
  ApiError,
  changeGettingStarted,
  confirmBackups,
  getGettingStarted,
  testMailServer,
} from '@opensocial/contract';
import type { Queryable } from '../../database/connect.ts';
import type { Bind } from '../../http/bind.ts';
import { consumeQuota } from '../../http/throttle.ts';
import { mainNetworkName } from '../../identity/membership.ts';
import { canSendMail } from '../../mail/mailer.ts';
import type { Parts } from '../../parts.ts';
import { findNetworkByName } from '../networks/networks.service.ts';
import { upsertSetup } from './getting-started.queries.ts';
import { readGettingStarted, sendTestMailTo } from './getting-started.service.ts';

const mailQuota = { limit: 5, minutes: 10 };

const momentIf = (isSet: boolean): Date | null => (isSet ? new Date() : null);

const findMainNetwork = async (db: Queryable) => {
  const found = await findNetworkByName(db, mainNetworkName);
  if (!found) throw new Error('The main network was not found.');
  return found.network;
};

export const gettingStartedRoutes = (bind: Bind, parts: Parts): void => {
  const { db, config } = parts;

  bind(getGettingStarted, ({ network, user }) => readGettingStarted(db, config, { network, viewerId: user.id }));

  bind(changeGettingStarted, async ({ network, user, body: { dismissed } }) => {
    await upsertSetup(db, network.id, { dismissed_at: momentIf(dismissed) });
    return readGettingStarted(db, config, { network, viewerId: user.id });
  });

  bind(confirmBackups, async ({ body: { done } }) => {
    const { id } = await findMainNetwork(db);
    await upsertSetup(db, id, { backup_at: momentIf(done) });
    return { done };
  });

  bind(testMailServer, async ({ user }) => {
    if (!canSendMail(config)) throw new ApiError('mail_server_missing');
    if (!(await consumeQuota(db, [`test-mail:${user.id}`], mailQuota)))
      throw new ApiError('too_many', { retryAfter: mailQuota.minutes * 60 });
    const { id } = await findMainNetwork(db);
    const failure = await sendTestMailTo(parts, user.email);
    await upsertSetup(db, id, { mail_at: momentIf(failure === '') });
    return { to: user.email, failure };
  });
};
