import {
  ApiError,
  createSigningKey,
  listSigningKeySites,
  listSigningKeys,
  removeSigningKey,
  retireSigningKey,
  type SigningKey,
  type SigningKeySite,
  stopTryingSigningKey,
  switchAllSites,
  switchSite,
  trySigningKey,
} from '@opensocial/contract';
import { type Transaction, violates } from '../../database/connect.ts';
import { actorOf, type Caller } from '../../http/actor.ts';
import type { Bind } from '../../http/bind.ts';
import { countAttempt } from '../../http/throttle.ts';
import type { Parts } from '../../parts.ts';
import { describeCertificate, makeSigningKey, toPem } from '../../secrets/signing-keys.ts';
import { type Change, recordAudit } from '../audit/audit.service.ts';
import { findEffectiveOwners, notifyOwners } from '../owners/owners.service.ts';
import {
  countSites,
  findKeys,
  insertKey,
  lockKeys,
  readKeySites,
  type SigningKeyRecord,
  setKeyOfSite,
  updateKey,
} from './signing-keys.queries.ts';
import { describeCertificates, remove, retire, switchAll, trialDuration } from './signing-keys.service.ts';

/** The number of keys that a network may generate in a short time. */
const creationLimit = { limit: 10, decayPerMinute: 1 };

export const signingKeyRoutes = (bind: Bind, parts: Parts): void => {
  const { db, config } = parts;

  bind(listSigningKeys, async ({ network }) => ({
    keys: (await findKeys(db, network.id)).map(toKey),
    sites: await countSites(db, network.id),
  }));

  bind(listSigningKeySites, async ({ network, params: { keyword, lastid } }) => {
    const { rows, total, total_is_minimum } = await readKeySites(db, network.id, {
      keyword,
      lastId: lastid,
      size: config.pageSize,
    });
    return { sites: rows.map(toKeySite), all_sites: total, total_is_minimum };
  });

  bind(createSigningKey, async ({ body: { algorithm }, ...caller }) => {
    const { network } = caller;
    const keys = await findKeys(db, network.id);
    // Generating a key takes time, so it is not generated only to be refused by the constraint.
    if (keys.some(({ key }) => key.state === 'next')) throw new ApiError('signing_key_exists');
    // Concurrent requests pass the check above, and each key would occupy a processor that all networks share.
    const { blockedFor } = await countAttempt(db, `signing-key:${network.id}`, creationLimit);
    if (blockedFor > 0) throw new ApiError('too_many', { retryAfter: blockedFor });
    const made = await makeSigningKey(network.name, algorithm);
    try {
      await db.transaction(async (tx) => {
        const key = await insertKey(tx, network.id, 'next', made, parts.vault.encrypt(made.privateKey));
        await audit(tx, caller, { action: 'create', new_data: nameOf(key) });
      });
    } catch (cause) {
      if (violates(cause, 'signing_keys__network_id__state')) throw new ApiError('signing_key_exists', { cause });
      throw cause;
    }
    return { message: 'The next key was created and published.' };
  });

  bind(trySigningKey, ({ params, ...caller }) =>
    db.transaction(async (tx) => {
      const { key } = await lockKey(tx, caller, params.key_id);
      if (key.state !== 'next') throw new ApiError('signing_key_state');
      const until = new Date(Date.now() + trialDuration);
      await updateKey(tx, key.id, { tried_by: caller.user.id, tried_until: until });
      const new_data = { ...nameOf(key), tried_until: until.toISOString() };
      await audit(tx, caller, { action: 'update', new_data });
      return { message: 'For one hour, your own sign-ins are signed with the next key.' };
    }),
  );

  bind(stopTryingSigningKey, ({ params, ...caller }) =>
    db.transaction(async (tx) => {
      const { key } = await lockKey(tx, caller, params.key_id);
      await updateKey(tx, key.id, { tried_by: null, tried_until: null });
      await audit(tx, caller, { action: 'update', new_data: { ...nameOf(key), tried_until: null } });
      return { message: 'Your sign-ins are signed with the same key as everybody else’s again.' };
    }),
  );

  switchRoutes(bind, parts);
};

/** The calls that change which key signs for other people. */
const switchRoutes = (bind: Bind, parts: Parts): void => {
  const { db } = parts;

  bind(switchSite, async ({ params, body, ...caller }) => {
    return db.transaction(async (tx) => {
      const { key } = await lockKey(tx, caller, params.key_id);
      const keyId = key.state === 'current' ? null : key.id;
      const site = await setKeyOfSite(tx, caller.network.id, body.site_id, keyId);
      if (!site) throw new ApiError('not_found');
      await audit(tx, caller, {
        action: 'update',
        old_data: { site: site.domain, signing_key: site.keyId },
        new_data: { site: site.domain, signing_key: keyId },
      });
      return { message: `Responses to ${site.domain} are now signed with this key.` };
    });
  });

  bind(switchAllSites, async ({ params, ...caller }) => {
    return db.transaction(async (tx) => {
      const { key, keys } = await lockKey(tx, caller, params.key_id);
      const former = await switchAll(tx, keys, key);
      await audit(tx, caller, {
        action: 'update',
        old_data: nameOf(former),
        new_data: { ...nameOf(key), state: 'current' },
      });
      const event = `Responses to all sites of ${caller.network.name} are now signed with the key ${fingerprintOf(key)}.`;
      await notify(tx, parts, caller, event);
      return { message: 'All sites use this key now.' };
    });
  });

  bind(retireSigningKey, async ({ params, ...caller }) => {
    return db.transaction(async (tx) => {
      const { key, keys } = await lockKey(tx, caller, params.key_id);
      await retire(tx, keys, key);
      await audit(tx, caller, {
        action: 'update',
        old_data: nameOf(key),
        new_data: { ...nameOf(key), state: 'retired' },
      });
      const event = `The key ${fingerprintOf(key)} of ${caller.network.name} was retired. Sites that were not switched still use it.`;
      await notify(tx, parts, caller, event);
      return { message: 'The key was retired. Sites that were not switched still use it.' };
    });
  });

  bind(removeSigningKey, async ({ params, ...caller }) => {
    try {
      await db.transaction(async (tx) => {
        const { key } = await lockKey(tx, caller, params.key_id);
        await remove(tx, key);
        await audit(tx, caller, { action: 'delete', old_data: nameOf(key) });
        const event = `The key ${fingerprintOf(key)} of ${caller.network.name} was removed from the metadata and deleted.`;
        await notify(tx, parts, caller, event);
      });
    } catch (cause) {
      if (violates(cause, 'sites__signing_key_id')) throw new ApiError('signing_key_used', { cause });
      throw cause;
    }
    return { message: 'The key was removed.' };
  });
};

const lockKey = async (tx: Transaction, { network }: Caller, id: number) => {
  const keys = await lockKeys(tx, network.id);
  const key = keys.find((candidate) => candidate.id === id);
  if (!key) throw new ApiError('not_found');
  return { key, keys };
};

const audit = (tx: Transaction, caller: Caller, change: Pick<Change<'network'>, 'action' | 'old_data' | 'new_data'>) =>
  recordAudit(tx, { ...actorOf(caller), object: 'network', subject: 'network signing key', ...change });

const notify = async (tx: Transaction, parts: Parts, caller: Caller, event: string) =>
  notifyOwners(tx, parts, caller, await findEffectiveOwners(tx, caller.network.id), {
    title: `The signing keys of ${caller.network.name} were changed`,
    event,
    label: 'See the signing keys',
    path: 'settings',
  });

const fingerprintOf = ({ certificate }: SigningKeyRecord): string => describeCertificate(certificate).fingerprint;

const nameOf = (key: SigningKeyRecord) => ({
  state: key.state,
  algorithm: key.algorithm,
  fingerprint: fingerprintOf(key),
});

const toKey = ({ key, triedBy, sites, usedBy }: Awaited<ReturnType<typeof findKeys>>[number]): SigningKey => {
  const isTried = key.tried_until !== null && key.tried_until > new Date();
  return {
    id: key.id,
    state: key.state,
    algorithm: key.algorithm,
    fingerprint: fingerprintOf(key),
    certificate: toPem(key.certificate),
    created_at: key.created_at.toISOString(),
    not_after: key.not_after.toISOString(),
    retired_at: key.retired_at?.toISOString() ?? null,
    sites,
    used_by: usedBy,
    tried_by: isTried ? triedBy : null,
    tried_until: isTried ? (key.tried_until?.toISOString() ?? null) : null,
  };
};

const toKeySite = (row: Awaited<ReturnType<typeof readKeySites>>['rows'][number]): SigningKeySite => ({
  id: row.id,
  site_name: row.site_name,
  domain: row.domain,
  key_id: row.keyId,
  verifies_ecdsa: row.verifiesEcdsa,
  sign_ins: row.uses.map(({ key_id, at }) => ({ key_id, at: new Date(at).toISOString() })),
  certificates: [
    ...toCertificates(row.certificate, 'signing'),
    ...toCertificates(row.encryptionCertificate, 'encryption'),
  ],
});

const toCertificates = (text: string | null, use: 'signing' | 'encryption') =>
  describeCertificates(text).map(({ fingerprint, notAfter }) => ({
    use,
    fingerprint,
    not_after: notAfter.toISOString(),
  }));
