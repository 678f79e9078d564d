import { ApiError, getAddress, recordAuditClaim } from '@opensocial/contract';
import { addressOf } from '../../http/address.ts';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { takeClaim } from './audit.queries.ts';

export const auditRoutes = (bind: Bind, { db }: Parts): void => {
  bind(recordAuditClaim, async ({ body, user, session, request }) => {
    const isTaken = await takeClaim(db, {
      ...body,
      network_id: session.selected.id,
      actor: user,
      address: addressOf(request),
    });
    if (!isTaken) throw new ApiError('too_many', { retryAfter: 60 });
    return { message: 'It is noted.' };
  });

  bind(getAddress, async ({ request }) => ({ ip: addressOf(request) }));
};
