import { ApiError, createOwner, inviteOwner, listInvitedOwners, listOwners, removeOwner } from '@opensocial/contract';
import { actorOf } from '../../http/actor.ts';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { recordAudit } from '../audit/audit.service.ts';
import { addOwner } from '../networks/networks.service.ts';
import { inviteOwnerAgain, listInvited } from './owners.invitations.service.ts';
import { deleteOwner, findOwner, readOwners } from './owners.queries.ts';
import {
  assertOwnersRemain,
  findEffectiveOwners,
  findNetworksOfOneOwner,
  notifyOfRemovedOwner,
  notifyOwners,
} from './owners.service.ts';

export const ownerRoutes = (bind: Bind, parts: Parts): void => {
  const { db, config } = parts;

  bind(listOwners, async ({ network, params: { keyword, lastId } }) => {
    const { rows, total, total_is_minimum } = await readOwners(db, network.id, {
      keyword,
      lastId,
      size: config.pageSize,
    });
    const [hasOne] = await findNetworksOfOneOwner(db, [network.id]);
    return {
      owners: rows.map((row) => ({ ...row, last: hasOne !== undefined && row.effective })),
      all_owners: total,
      total_is_minimum,
    };
  });

  bind(createOwner, async ({ body, ...caller }) => {
    const { network } = caller;
    const isSame = body.sso_server === network.name && [network.sso_id, String(network.id)].includes(body.sso_id);
    if (!isSame) throw new ApiError('not_found');
    const { actor, address } = actorOf(caller);
    return db.transaction(async (tx) => {
      const { isNew, invitation } = await addOwner(tx, parts, network, body.owner, {
        withMail: true,
        changedBy: { actor, address },
      });
      if (!isNew) throw new ApiError('owner_exists');
      await notifyOwners(tx, parts, caller, await findEffectiveOwners(tx, network.id), {
        title: `${network.name} has a new owner`,
        event: `${body.owner} was made an owner of ${network.name}.`,
        label: 'See the owners',
        path: 'admins',
      });
      return { msg: 'Admin email sucessfully added', invitation };
    });
  });

  bind(listInvitedOwners, ({ network }) => listInvited(parts, network.id));

  bind(inviteOwner, async ({ body, ...caller }) => {
    const invitation = await db.transaction((tx) => inviteOwnerAgain(tx, parts, caller, body.owner_id));
    return { message: invitation ? 'The link was created.' : 'The invitation was sent.', invitation };
  });

  bind(removeOwner, async ({ params, ...caller }) => {
    const { network } = caller;
    await db.transaction(async (tx) => {
      const owner = await findOwner(tx, network.id, params.ownerId);
      if (!owner) throw new ApiError('not_found');
      await assertOwnersRemain(tx, owner.email, network.id);
      const recipients = await findEffectiveOwners(tx, network.id);
      if (!(await deleteOwner(tx, owner.id))) throw new ApiError('not_found');
      await recordAudit(tx, {
        ...actorOf(caller),
        action: 'delete',
        object: 'owner',
        subject: 'owner',
        old_data: { owner: owner.email },
      });
      await notifyOfRemovedOwner(tx, parts, caller, recipients, owner.email);
    });
    return { message: 'The owner was removed.' };
  });
};
