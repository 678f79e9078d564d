import { ApiError, listOidcKeys, replaceOidcKey } from '@opensocial/contract';
import { actorOf } from '../../http/actor.ts';
import type { Bind } from '../../http/bind.ts';
import { countAttempt } from '../../http/throttle.ts';
import type { Parts } from '../../parts.ts';
import { recordAudit } from '../audit/audit.service.ts';
import { findEffectiveOwners, notifyOwners } from '../owners/owners.service.ts';
import { listKeys, replaceKey } from '../sign-in/sign-in.service.ts';

/** The number of keys that a network may generate in a short time. */
const creationLimit = { limit: 10, decayPerMinute: 1 };

/** The keys that sign the OpenID Connect tokens of a network. */
export const oidcKeyRoutes = (bind: Bind, parts: Parts): void => {
  const { db } = parts;

  bind(listOidcKeys, async ({ network }) => ({ keys: await listKeys(parts, network.id) }));

  bind(replaceOidcKey, async ({ body: { algorithm, is_compromised: isCompromised }, ...caller }) => {
    const { network } = caller;
    const { blockedFor } = await countAttempt(db, `oidc-key:${network.id}`, creationLimit);
    if (blockedFor > 0) throw new ApiError('too_many', { retryAfter: blockedFor });
    await db.transaction(async (tx) => {
      const kid = await replaceKey(tx, parts, { networkId: network.id, algorithm, isCompromised });
      const subject = `${algorithm} key for OpenID Connect`;
      const new_data = { kid, is_compromised: isCompromised };
      await recordAudit(tx, { ...actorOf(caller), action: 'update', object: 'other', subject, new_data });
      await notifyOwners(tx, parts, caller, await findEffectiveOwners(tx, network.id), {
        title: `The ${algorithm} key for OpenID Connect was replaced`,
        event: isCompromised
          ? 'The former key was reported as compromised and is no longer valid. Applications that keep a copy of the published keys accept new sign-ins when they read the keys again.'
          : 'The new key is published now, and signs in a day. Applications read the published keys by themselves.',
        label: 'See the settings',
        path: 'settings',
      });
    });
    return {
      message: isCompromised
        ? 'The key was replaced and is no longer valid.'
        : 'The new key is published. It begins to sign in a day.',
    };
  });
};
