import {
  ApiError,
  beginPasskey,
  createPasskey,
  listPasskeys,
  type Passkey,
  removePasskey,
  renamePasskey,
} from '@opensocial/contract';
import type { Transaction } from '../../database/connect.ts';
import type { Bind } from '../../http/bind.ts';
import { passkeyNotice } from '../../mail/notices.ts';
import type { Parts } from '../../parts.ts';
import {
  assertStrongestProof,
  lockAndAssertRemovalProof,
  lockAndAssertStrongestProof,
  recordProvenFactor,
} from '../mfa/mfa.step-up.service.ts';
import { recordOwnChange, type SignedInCaller } from '../profile/profile.service.ts';
import { endOtherSessions } from '../users/users.passwords.service.ts';
import { findPasskeys, type PasskeyRow, updateName } from './passkeys.queries.ts';
import { addPasskey, createPasskeyOptions, removePasskeyOf, supportsPasskeys } from './passkeys.service.ts';

/** The passkeys of the signed-in user. Ids select only among their own. */
export const passkeyRoutes = (bind: Bind, parts: Parts): void => {
  const { db, jobs, config } = parts;

  /** Notifies the user by mail and records the change in the audit log. */
  const reportChange = async (tx: Transaction, caller: SignedInCaller, name: string, event: 'added' | 'removed') => {
    const notice = passkeyNotice(config.publicUrl, name, event);
    await jobs.sendMail(tx, { to: caller.user.email, ...notice, record: { kind: 'passkey_changed' } });
    const change = event === 'added' ? { new_data: { name } } : { old_data: { name } };
    await recordOwnChange(tx, caller, { subject: 'own passkeys', ...change });
  };

  bind(listPasskeys, async ({ user }) => ({
    passkeys: (await findPasskeys(db, user.id)).map(toPasskey),
    possible: supportsPasskeys(config),
  }));

  bind(beginPasskey, async ({ session, user }) => {
    await assertStrongestProof(db, { user, session });
    return createPasskeyOptions(parts, { sessionId: session.id, user });
  });

  bind(createPasskey, async ({ body: { name, passkey }, ...caller }) => {
    await assertStrongestProof(db, caller);
    const recovery_codes = await addPasskey(
      parts,
      { sessionId: caller.session.id, user: caller.user },
      {
        name,
        created: passkey,
        beforeStore: (tx) => lockAndAssertStrongestProof(tx, caller),
        afterStore: async (tx) => {
          await reportChange(tx, caller, name, 'added');
          await recordProvenFactor(tx, caller, 'passkey');
        },
      },
    );
    return { message: 'Your passkey was added.', recovery_codes };
  });

  bind(renamePasskey, async ({ params, body: { name }, ...caller }) => {
    await db.transaction(async (tx) => {
      const before = await updateName(tx, caller.user.id, params.id, name);
      if (before === undefined) throw new ApiError('not_found');
      await recordOwnChange(tx, caller, { subject: 'own passkeys', old_data: { name: before }, new_data: { name } });
    });
    return { message: 'Your passkey was renamed.' };
  });

  bind(removePasskey, async ({ params, ...caller }) => {
    await db.transaction(async (tx) => {
      await lockAndAssertRemovalProof(tx, caller, 'passkey');
      const name = await removePasskeyOf(tx, caller.user.id, params.id);
      if (name === undefined) throw new ApiError('not_found');
      await endOtherSessions(tx, parts.jobs, caller.user.id, { sessionIndex: caller.session.sessionIndex });
      await reportChange(tx, caller, name, 'removed');
    });
    return { message: 'Your passkey was removed.' };
  });
};

const toPasskey = ({ id, name, backed_up, created_at, last_used_at }: PasskeyRow): Passkey => ({
  id,
  name,
  backed_up,
  created: created_at.toISOString(),
  last_used: last_used_at?.toISOString() ?? null,
});
