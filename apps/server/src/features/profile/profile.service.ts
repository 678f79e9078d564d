import { ApiError, type Profile } from '@opensocial/contract';
import type { FastifyRequest } from 'fastify';
import type { Queryable } from '../../database/connect.ts';
import { addressOf } from '../../http/address.ts';
import { readCookie } from '../../http/cookies.ts';
import type { InSession } from '../../identity/actor.ts';
import { canSendMail } from '../../mail/mailer.ts';
import type { Parts } from '../../parts.ts';
import { hashPassword } from '../../secrets/passwords.ts';
import { recordOwnAudit } from '../audit/audit.service.ts';
import { countRecoveryCodes } from '../mfa/mfa.service.ts';
import { assertOpen } from '../session/session.service.ts';
import { confirmPassword } from '../sign-in/sign-in.service.ts';
import { unlinkAccount } from '../social/social.service.ts';
import { assertNewPassword, endOtherSessions, storePassword } from '../users/users.passwords.service.ts';
import { getAccount, updateNames } from './profile.queries.ts';

/** A user who changes their own account. */
export type SignedInCaller = InSession & { request: FastifyRequest };

export const readProfile = async ({ db, config }: Parts, userId: number): Promise<Profile> => {
  const { user } = await getAccount(db, userId);
  return {
    email: user.email,
    first_name: user.firstname,
    last_name: user.lastname,
    has_password: user.password_hash !== null,
    password_changed: user.password_changed_at?.toISOString() ?? null,
    recovery_codes: await countRecoveryCodes(db, userId),
    sends_mail: canSendMail(config),
  };
};

/** Records a change of the user's own account in the audit log, if the session is still open. */
export const recordOwnChange = async (
  tx: Queryable,
  { actor, request }: SignedInCaller,
  change: Parameters<typeof recordOwnAudit>[3],
): Promise<void> => {
  // The account is locked at this point.
  await assertOpen(tx, actor);
  await recordOwnAudit(tx, actor.user, addressOf(request), change);
};

export const changeNames = (
  { db }: Parts,
  caller: SignedInCaller,
  names: { firstname: string; lastname: string },
): Promise<void> =>
  db.transaction(async (tx) => {
    const { user } = await getAccount(tx, caller.user.id);
    const before = { firstname: user.firstname, lastname: user.lastname };
    if (JSON.stringify(before) === JSON.stringify(names)) return;
    await updateNames(tx, user.id, names);
    await recordOwnChange(tx, caller, {
      subject: 'own name',
      subject_key: `user:${user.id}`,
      old_data: before,
      new_data: names,
    });
  });

export const proveOwnPassword = async (
  parts: Parts,
  { user, request }: SignedInCaller,
  password: string,
): Promise<void> => {
  const { user: account } = await getAccount(parts.db, user.id);
  await confirmPassword(parts, account, {
    password,
    device: readCookie(parts.config, request, 'device'),
    address: addressOf(request),
  });
};

/** Changes the password by the rules of the home network, whatever the default network is. */
export const changeOwnPassword = async (
  parts: Parts,
  caller: SignedInCaller,
  current: string,
  wanted: string,
): Promise<void> => {
  const { db } = parts;
  await proveOwnPassword(parts, caller, current);
  if (wanted === current)
    throw new ApiError('password_refused', { message: 'This is already your password. Choose another one.' });
  const { user, settings } = await getAccount(db, caller.user.id);
  await assertNewPassword(db, user, settings, wanted);
  const hash = await hashPassword(wanted);
  await db.transaction(async (tx) => {
    await storePassword(tx, parts, user, hash, { sessionIndex: caller.session.sessionIndex });
    await recordOwnChange(tx, caller, { subject: 'own password' });
  });
};

/** Unlinks a login. Other sessions end, because they may have used it. */
export const unlinkLogin = (parts: Parts, caller: SignedInCaller, linkId: number): Promise<{ label: string }> =>
  parts.db.transaction(async (tx) => {
    const { label, provider, created_at } = await unlinkAccount(tx, parts, caller.user, linkId);
    await endOtherSessions(tx, parts.jobs, caller.user.id, { sessionIndex: caller.session.sessionIndex });
    await recordOwnChange(tx, caller, { subject: 'own linked login', old_data: { provider, linked: created_at } });
    return { label };
  });
