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
import type { SignedInCaller } from '../profile/profile.service.ts';
import { assertOpen } from '../session/session.service.ts';
import { deviceOf } from '../sign-in/sign-in.service.ts';
import { endOtherSessions } from '../users/users.passwords.service.ts';
import { updateEmailMfa } from './mfa.queries.ts';
import {
  beginTotp,
  clearTotp,
  confirmTotp,
  type FactorUser,
  hasReplaceableFactor,
  hasTotp,
  issueRecoveryCodes,
  mailConfirmationCode,
  proveTotp,
  reportFactorChange,
  reportTotpSetup,
  verifyConfirmationCode,
} from './mfa.service.ts';
import {
  assertStrongestProof,
  lockAndAssertRemovalProof,
  lockAndAssertStrongestProof,
  recordProvenFactor,
} from './mfa.step-up.service.ts';

/** The second factors of the signed-in user. An active secret is never shown, only one that has to be confirmed. */
export const mfaRoutes = (bind: Bind, parts: Parts): void => {
  totpRoutes(bind, parts);
  recoveryCodeRoutes(bind, parts);
  emailCodeRoutes(bind, parts);
};

const factorUserOf = ({ vault, config }: Parts, { user, request }: SignedInCaller): FactorUser => ({
  userId: user.id,
  device: deviceOf(vault, readCookie(config, request, 'device'), user),
});

/** Asserts that the session has not ended meanwhile. The account is locked at this point. */
const requireOpenSession = async (tx: Transaction, { actor, user, request }: SignedInCaller) => {
  await assertOpen(tx, actor);
  return { user, address: addressOf(request) };
};

const reportChange = async (tx: Transaction, parts: Parts, caller: SignedInCaller, subject: string, event: string) =>
  reportFactorChange(tx, parts, await requireOpenSession(tx, caller), { subject, event });

/** Ends the other sessions of the account, which have to sign in again with the remaining factors. */
const endSessionsElsewhere = (tx: Transaction, { jobs }: Parts, { user, session }: SignedInCaller) =>
  endOtherSessions(tx, jobs, user.id, { sessionIndex: session.sessionIndex });

const removeTotp = (
  parts: Parts,
  caller: SignedInCaller,
  event: string,
  beforeRemove: (tx: Transaction) => Promise<void> = async () => {},
) =>
  parts.db.transaction(async (tx) => {
    await beforeRemove(tx);
    if (!(await clearTotp(tx, caller.user.id))) throw new ApiError('mfa_inactive');
    await endSessionsElsewhere(tx, parts, caller);
    await reportChange(tx, parts, caller, 'own authenticator', event);
  });

const totpRoutes = (bind: Bind, parts: Parts): void => {
  const { db } = parts;

  bind(getMfaStatus, async ({ user }) => ((await hasTotp(db, user.id)) ? 'active' : 'inactive'));

  bind(getMfaSecret, async ({ user, session }) => {
    await assertStrongestProof(db, { user, session });
    if (await hasTotp(db, user.id)) throw new ApiError('mfa_active');
    return beginTotp(parts, user);
  });

  bind(submitToken, async ({ body, ...caller }) => {
    await assertStrongestProof(db, caller);
    const recovery_codes = await confirmTotp(parts, factorUserOf(parts, caller), body.token, {
      key: body.secret,
      beforeStore: (tx) => lockAndAssertStrongestProof(tx, caller),
      afterStore: async (tx) => {
        await reportTotpSetup(tx, parts, await requireOpenSession(tx, caller));
        await recordProvenFactor(tx, caller, 'totp');
      },
    });
    return recovery_codes ? { message: 'TOTP MFA Setup Complete', recovery_codes } : 'FALSE';
  });

  bind(removeMfa, async ({ body, ...caller }) => {
    if (!(await hasTotp(db, caller.user.id))) throw new ApiError('mfa_inactive');
    if (!(await proveTotp(parts, factorUserOf(parts, caller), body.token))) throw new ApiError('token_wrong');
    await removeTotp(parts, caller, 'The authenticator app of your account was removed.');
    return { message: 'Your authenticator app was removed.' };
  });

  bind(resetMfa, async (caller) => {
    const event = 'The authenticator app of your account was reset without a code.';
    await removeTotp(parts, caller, event, (tx) => lockAndAssertRemovalProof(tx, caller, 'totp'));
    return { message: 'Your authenticator app was reset.' };
  });
};

const recoveryCodeRoutes = (bind: Bind, parts: Parts): void => {
  bind(createRecoveryCodes, async (caller) => {
    const recovery_codes = await parts.db.transaction(async (tx) => {
      await lockAndAssertStrongestProof(tx, caller);
      if (!(await hasReplaceableFactor(tx, caller.user.id))) throw new ApiError('mfa_inactive');
      await reportChange(
        tx,
        parts,
        caller,
        'own recovery codes',
        'New recovery codes were created. The old ones no longer work.',
      );
      return issueRecoveryCodes(tx, caller.user.id);
    });
    return { message: 'The old codes no longer work.', recovery_codes };
  });
};

const emailCodeRoutes = (bind: Bind, parts: Parts): void => {
  const { db, config } = parts;

  /** In two steps: the first call mails a code, the second submits it. Codes that do not arrive would lock the user out. */
  bind(enableMailMfa, async ({ body, ...caller }) => {
    if (!canSendMail(config)) throw new ApiError('mail_unavailable');
    await assertStrongestProof(db, caller);
    const sessionUser = { sessionId: caller.session.id, userId: caller.user.id };
    if (body.code === undefined) {
      await mailConfirmationCode(parts, caller.user.email, sessionUser);
      return { message: 'We sent a code to your address. Enter it to switch on email codes.', code_needed: true };
    }
    const consumeCode = await verifyConfirmationCode(parts, sessionUser, body.code);
    if (!consumeCode) throw new ApiError('token_wrong');
    await db.transaction(async (tx) => {
      await lockAndAssertStrongestProof(tx, caller);
      if (!(await consumeCode(tx))) throw new ApiError('token_wrong');
      if (await updateEmailMfa(tx, caller.user.id, true))
        await reportChange(
          tx,
          parts,
          caller,
          'own email MFA',
          'From now on a code is sent to this address when you sign in.',
        );
      await recordProvenFactor(tx, caller, 'email');
    });
    return { message: 'Email multi-factor authentication sucessfully enabled', code_needed: false };
  });

  bind(disableMailMfa, async (caller) => {
    await db.transaction(async (tx) => {
      await lockAndAssertRemovalProof(tx, caller, 'email');
      if (!(await updateEmailMfa(tx, caller.user.id, false))) return;
      await endSessionsElsewhere(tx, parts, caller);
      await reportChange(
        tx,
        parts,
        caller,
        'own email MFA',
        'A code is no longer sent to this address when you sign in.',
      );
    });
    return { message: 'Email multi-factor authentication sucessfully disabled' };
  });
};
