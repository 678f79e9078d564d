import {
  ApiError,
  createRecoveryCodes,
  disableMailMfa,
  enableMailMfa,
  getMfaSecret,
  getMfaStatus,
  removeMfa,
  resetMfa,
  submitToken,
} from '@opensocial/contract';
import type { Transaction } from '../../database/connect.ts';
import { addressOf } from '../../http/address.ts';
import type { Bind } from '../../http/bind.ts';
import { readCookie } from '../../http/cookies.ts';
import type { Parts } from '../../parts.ts';
import type { Own } from '../profile/profile.service.ts';
import { assertFreshSignIn, assertOpen } from '../session/session.service.ts';
import { deviceOf } from '../sign-in/sign-in.service.ts';
import { endOtherSessions } from '../users/users.passwords.service.ts';
import { updateEmailMfa } from './mfa.queries.ts';
import {
  beginTotp,
  clearTotp,
  confirmTotp,
  giveRecoveryCodes,
  hasLosable,
  hasTotp,
  noteFactorChange,
  noteTotpSetup,
  type Prover,
  proveTotp,
} from './mfa.service.ts';

/** The second factors of whoever is signed in. A secret in use never leaves: only one that still waits to be proven. */
export const mfaRoutes = (bind: Bind, parts: Parts): void => {
  const { db } = parts;

  const proverOf = ({ user, request }: Own): Prover => ({
    userId: user.id,
    device: deviceOf(parts.vault, readCookie(parts.config, request, 'device'), user.uid),
  });

  /** Whose it is, if the session has not ended meanwhile. The account is held by now. */
  const stillOf = async (tx: Transaction, { user, session, request }: Own) => {
    await assertOpen(tx, session);
    return { user, address: addressOf(request) };
  };

  const tell = async (tx: Transaction, own: Own, subject: string, happened: string) =>
    noteFactorChange(tx, parts, await stillOf(tx, own), { subject, happened });

  /** Whoever else is signed in to the account has to prove themselves anew by what is left. */
  const endOthers = (tx: Transaction, { user, session }: Own) =>
    endOtherSessions(tx, user.id, { sessionIndex: session.sessionIndex });

  const takeAway = (own: Own, happened: string) =>
    db.transaction(async (tx) => {
      if (!(await clearTotp(tx, own.user.id))) throw new ApiError('mfa_inactive');
      await endOthers(tx, own);
      await tell(tx, own, 'own authenticator', happened);
    });

  bind(getMfaStatus, async ({ user }) => ((await hasTotp(db, user.id)) ? 'active' : 'inactive'));

  bind(getMfaSecret, async ({ user, session }) => {
    assertFreshSignIn(session);
    if (await hasTotp(db, user.id)) throw new ApiError('mfa_active');
    return beginTotp(parts, user);
  });

  bind(submitToken, async ({ body, ...own }) => {
    assertFreshSignIn(own.session);
    const recovery_codes = await confirmTotp(parts, proverOf(own), body.token, {
      key: body.secret,
      alongside: async (tx) => noteTotpSetup(tx, parts, await stillOf(tx, own)),
    });
    return recovery_codes ? { message: 'TOTP MFA Setup Complete', recovery_codes } : 'FALSE';
  });

  bind(removeMfa, async ({ body, ...own }) => {
    if (!(await hasTotp(db, own.user.id))) throw new ApiError('mfa_inactive');
    if (!(await proveTotp(parts, proverOf(own), body.token))) throw new ApiError('token_wrong');
    await takeAway(own, 'The authenticator app of your account was taken away.');
    return { message: 'Your authenticator app is taken away.' };
  });

  bind(resetMfa, async (own) => {
    assertFreshSignIn(own.session);
    await takeAway(own, 'The authenticator app of your account was reset without a code.');
    return { message: 'Your authenticator app is reset.' };
  });

  bind(createRecoveryCodes, async (own) => {
    assertFreshSignIn(own.session);
    if (!(await hasLosable(db, own.user.id))) throw new ApiError('mfa_inactive');
    const recovery_codes = await db.transaction(async (tx) => {
      await tell(tx, own, 'own recovery codes', 'New recovery codes were made; the old ones stopped working.');
      return giveRecoveryCodes(tx, own.user.id);
    });
    return { message: 'The old codes stopped working.', recovery_codes };
  });

  bind(enableMailMfa, async (own) => {
    await db.transaction(async (tx) => {
      if (await updateEmailMfa(tx, own.user.id, true))
        await tell(tx, own, 'own email MFA', 'From now on a code is sent to this address when you sign in.');
    });
    return { message: 'Email multi-factor authentication sucessfully enabled' };
  });

  bind(disableMailMfa, async (own) => {
    assertFreshSignIn(own.session);
    await db.transaction(async (tx) => {
      if (!(await updateEmailMfa(tx, own.user.id, false))) return;
      await endOthers(tx, own);
      await tell(tx, own, 'own email MFA', 'No code is sent to this address any more when you sign in.');
    });
    return { message: 'Email multi-factor authentication sucessfully disabled' };
  });
};
