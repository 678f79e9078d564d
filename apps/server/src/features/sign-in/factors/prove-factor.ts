import type { Factor } from '@opensocial/signin';
import type { FastifyRequest } from 'fastify';
import type { Transaction } from '../../../database/connect.ts';
import { addressOf } from '../../../http/address.ts';
import { readCookie } from '../../../http/cookies.ts';
import type { Parts } from '../../../parts.ts';
import { hasActivationProof } from '../../activation/activation.proofs.service.ts';
import {
  confirmSignInTotp,
  issueSignInCode,
  proveRecoveryCode,
  proveSignInCode,
  proveTotp,
  reportTotpSetup,
  type SignInUser,
} from '../../mfa/mfa.service.ts';
import { findFactorRefusal } from '../../passkeys/passkeys.authentication.service.ts';
import { renderNetworkMail } from '../../templates/templates.service.ts';
import type { SiteAccount } from '../accounts/site-accounts.queries.ts';
import { deviceOf } from '../credentials/known-devices.ts';
import { assertFlowUnchanged } from '../flow/progress.ts';
import { flowExpired, type SignInFlow } from '../flow/sign-in-flow.ts';

/** The result of a proof: the reason of a refusal, and the recovery codes if an authenticator was set up. They are shown once. */
type Proof = { refusal?: string | undefined; recoveryCodes?: string[] | undefined };

/** Checks a code or the answer of a passkey. */
export const proveFactor = async (
  parts: Parts,
  request: FastifyRequest,
  flow: SignInFlow,
  user: SiteAccount,
  { factor, given }: { factor: Factor; given: string },
): Promise<Proof> => {
  const signInUser = signInUserOf(parts, request, flow, user);
  switch (factor) {
    case 'passkey':
      return { refusal: await findFactorRefusal(parts, signInUser, given, flow.signIn.passkey_challenge) };
    case 'totp':
      return codeProof(await proveTotp(parts, signInUser, given));
    case 'recovery':
      return codeProof(await proveRecoveryCode(parts, signInUser, given));
    case 'email':
      return codeProof(await proveSignInCode(parts, signInUser, given));
    case 'setup': {
      const recoveryCodes = await confirmSignInTotp(parts, signInUser, given, {
        beforeStore: (tx: Transaction) => assertMayAddFactor(tx, parts, request, flow, user),
        afterStore: async (tx: Transaction) => {
          await assertFlowUnchanged(tx, flow);
          await reportTotpSetup(tx, parts, { user, address: addressOf(request) });
        },
      });
      return { ...codeProof(recoveryCodes !== undefined), recoveryCodes };
    }
  }
};

/**
 * The proof of the activation was checked before the transaction too. It may have ended since, because the password was changed elsewhere.
 */
const assertMayAddFactor = async (
  tx: Transaction,
  { config }: Parts,
  request: FastifyRequest,
  { signIn }: SignInFlow,
  user: SiteAccount,
): Promise<void> => {
  if (signIn.mfa !== 'email' && !(await hasActivationProof(tx, config, request, user.id))) throw flowExpired();
};

const codeProof = (isRight: boolean): Proof => (isRight ? {} : { refusal: 'wrong code of the second factor' });

const signInUserOf = (
  { config, vault }: Parts,
  request: FastifyRequest,
  { signIn }: SignInFlow,
  user: SiteAccount,
): SignInUser => ({
  signInId: signIn.id,
  userId: user.id,
  device: deviceOf(vault, readCookie(config, request, 'device'), user),
});

export const mailCode = async (
  parts: Parts,
  request: FastifyRequest,
  flow: SignInFlow,
  user: SiteAccount,
): Promise<void> => {
  const { network, site } = flow.destination;
  const email_code = await issueSignInCode(parts, signInUserOf(parts, request, flow, user));
  if (email_code === undefined) return;
  const recipient = { user_name: user.fullname, email: user.email, email_code, site: site.site_name };
  const mail = await renderNetworkMail(parts.db, parts, network, 'emailmfa', recipient);
  const record = { kind: 'code' as const, ...(user.isMember && site.kind !== 'console' && { networkId: network.id }) };
  await parts.jobs.sendMail(parts.db, { ...mail, record, isAwaited: true });
};
