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
import { canSendMail } from '../../mail/mailer.ts';
import type { Parts } from '../../parts.ts';
import type { Own } from '../profile/profile.service.ts';
import { assertOpen } from '../session/session.service.ts';
import { deviceOf } from '../sign-in/sign-in.service.ts';
import { endOtherSessions } from '../users/users.passwords.service.ts';
import { assertStrongestProof, holdProofOf, holdStrongestProof, raiseProof } from './mfa.proof.service.ts';
import { updateEmailMfa } from './mfa.queries.ts';
import {
  beginTotp,
  clearTotp,
  confirmTotp,
  giveRecoveryCodes,
  hasLosable,
  hasTotp,
  mailEmailCode,
  noteFactorChange,
  noteTotpSetup,
  type Prover,
  proveEmailCode,
  proveTotp,
} from './mfa.service.ts';

/** The second factors of the signed-in user. A secret in use is never shown, only one that still has to be proven. */
export const mfaRoutes = (bind: Bind, parts: Parts): void => {
  const { db, config } = parts;

  const proverOf = ({ user, request }: Own): Prover => ({
    userId: user.id,
    device: deviceOf(parts.vault, readCookie(config, request, 'device'), user),
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

  const takeAway = (own: Own, happened: string, admit: (tx: Transaction) => Promise<void> = async () => {}) =>
    db.transaction(async (tx) => {
      await admit(tx);
      if (!(await clearTotp(tx, own.user.id))) throw new ApiError('mfa_inactive');
      await endOthers(tx, own);
      await tell(tx, own, 'own authenticator', happened);
    });

  bind(getMfaStatus, async ({ user }) => ((await hasTotp(db, user.id)) ? 'active' : 'inactive'));

  bind(getMfaSecret, async ({ user, session }) => {
    await assertStrongestProof(db, { user, session });
    if (await hasTotp(db, user.id)) throw new ApiError('mfa_active');
    return beginTotp(parts, user);
  });

  bind(submitToken, async ({ body, ...own }) => {
    await assertStrongestProof(db, own);
    const recovery_codes = await confirmTotp(parts, proverOf(own), body.token, {
      key: body.secret,
      admit: (tx) => holdStrongestProof(tx, own),
      alongside: async (tx) => {
        await noteTotpSetup(tx, parts, await stillOf(tx, own));
        await raiseProof(tx, own, 'totp');
      },
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
    const happened = 'The authenticator app of your account was reset without a code.';
    await takeAway(own, happened, (tx) => holdProofOf(tx, own, 'totp'));
    return { message: 'Your authenticator app is reset.' };
  });

  bind(createRecoveryCodes, async (own) => {
    const recovery_codes = await db.transaction(async (tx) => {
      await holdStrongestProof(tx, own);
      if (!(await hasLosable(tx, own.user.id))) throw new ApiError('mfa_inactive');
      await tell(tx, own, 'own recovery codes', 'New recovery codes were made; the old ones stopped working.');
      return giveRecoveryCodes(tx, own.user.id);
    });
    return { message: 'The old codes stopped working.', recovery_codes };
  });

  /** In two steps: the first mails a code, the second brings it. Mailed codes that do not arrive would lock the person out. */
  bind(enableMailMfa, async ({ body, ...own }) => {
    if (!canSendMail(config)) throw new ApiError('mail_unavailable');
    await assertStrongestProof(db, own);
    const who = { sessionId: own.session.id, userId: own.user.id };
    if (body.code === undefined) {
      await mailEmailCode(parts, own.user.email, who);
      return { message: 'We sent a code to your address. Enter it to switch on email codes.', code_needed: true };
    }
    const useCode = await proveEmailCode(parts, who, body.code);
    if (!useCode) throw new ApiError('token_wrong');
    await db.transaction(async (tx) => {
      await holdStrongestProof(tx, own);
      if (!(await useCode(tx))) throw new ApiError('token_wrong');
      if (await updateEmailMfa(tx, own.user.id, true))
        await tell(tx, own, 'own email MFA', 'From now on a code is sent to this address when you sign in.');
      await raiseProof(tx, own, 'email');
    });
    return { message: 'Email multi-factor authentication sucessfully enabled', code_needed: false };
  });

  bind(disableMailMfa, async (own) => {
    await db.transaction(async (tx) => {
      await holdProofOf(tx, own, 'email');
      if (!(await updateEmailMfa(tx, own.user.id, false))) return;
      await endOthers(tx, own);
      await tell(tx, own, 'own email MFA', 'No code is sent to this address any more when you sign in.');
    });
    return { message: 'Email multi-factor authentication sucessfully disabled' };
  });
};
