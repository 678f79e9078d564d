import { ApiError, getAddress, recordAuditClaim } from '@opensocial/contract';
import { actorOf } from '../../http/actor.ts';
import { addressOf } from '../../http/address.ts';
import type { Bind } from '../../http/bind.ts';
import { consumeQuota } from '../../http/throttle.ts';
import { limitKeyOf } from '../../identity/actor.ts';
import type { Parts } from '../../parts.ts';
import { insertClaim } from './audit.queries.ts';

const claims = { limit: 60, minutes: 1 };

export const auditRoutes = (bind: Bind, { db }: Parts): void => {
  bind(recordAuditClaim, async ({ body, ...caller }) => {
    if (!(await consumeQuota(db, [`audit:${limitKeyOf(caller.actor)}`], claims)))
      throw new ApiError('too_many', { retryAfter: 60 });
    await insertClaim(db, { ...body, ...actorOf(caller) });
    return { message: 'The description was recorded.' };
  });

  bind(getAddress, async ({ request }) => ({ ip: addressOf(request) }));
};
