import { ApiError, confirmSignup, Email, getActivationPolicy, verifyToken } from '@opensocial/contract';
import { violates } from '../../database/connect.ts';
import { addressOf, countedAddress } from '../../http/address.ts';
import type { Bind } from '../../http/bind.ts';
import { countAttempt, takeBackAttempt } from '../../http/throttle.ts';
import { mainNetworkName } from '../../identity/membership.ts';
import { markLinkUsed } from '../../mail/mail-records.ts';
import type { Parts } from '../../parts.ts';
import { admitOwnHashing, hashPassword } from '../../secrets/passwords.ts';
import { findNetworkByName } from '../networks/networks.service.ts';
import { toPasswordPolicy } from '../settings/settings.service.ts';
import { unlockAccount } from '../sign-in/sign-in.service.ts';
import { assertNewPassword, storePassword } from '../users/users.passwords.service.ts';
import { proveAddress } from '../users/users.security.service.ts';
import { giveActivationProof, makeActivationProof } from './activation.proofs.service.ts';
import { confirmUser, consumeToken, findActivation, lockTokenOwner } from './activation.queries.ts';

/** A link cannot be guessed; this only keeps anyone from trying for long. */
const linkAttemptLimit = { limit: 30, decayPerMinute: 1 };

export const activationRoutes = (bind: Bind, parts: Parts): void => {
  const { db, config } = parts;
  /**
   * An unknown address and a token that was never issued get the same answer, so that nobody can find out which
   * addresses exist. Only a genuine token that is used or expired is reported as such.
   */
  const activationOf = async (given: { email: string; code: string }, address: string) => {
    const email = Email.safeParse(given.email);
    if (!email.success) throw new ApiError('email_invalid');
    const key = `activation:${countedAddress(address)}`;
    const { blockedFor } = await countAttempt(db, key, linkAttemptLimit);
    if (blockedFor > 0) throw new ApiError('too_many', { retryAfter: blockedFor });
    const activation = await findActivation(db, email.data, given.code);
    if (!activation) throw new ApiError('email_unknown');
    if (!activation.isGood) throw new ApiError('token_used');
    await takeBackAttempt(db, key);
    return activation;
  };

  bind(verifyToken, async ({ body, request }) => {
    const { network, purpose, settings } = await activationOf(body, addressOf(request));
    return {
      message: 'The link is valid.',
      server: network,
      purpose,
      terms_of_use: settings.terms_of_use ?? '',
      privacy_statement: settings.privacy_statement ?? '',
    };
  });

  bind(getActivationPolicy, async ({ query }) => {
    const named = query.server === undefined ? undefined : await findNetworkByName(db, query.server);
    const network = named ?? (await findNetworkByName(db, mainNetworkName));
    if (!network) throw new ApiError('not_found');
    return toPasswordPolicy(network.settings);
  });

  bind(confirmSignup, async ({ body, request, reply }) => {
    if (body.signup_from !== config.publicUrl) throw new ApiError('origin_unknown');
    const activation = await activationOf(body, addressOf(request));
    const { user, settings, tokenId, purpose, isCopied } = activation;
    const hash = await admitOwnHashing(user.id, async () => {
      await assertNewPassword(db, user, settings, body.password);
      return hashPassword(body.password);
    });
    const proof = await db
      .transaction(async (tx) => {
        await lockTokenOwner(tx, user.id);
        const isUsed = await consumeToken(tx, tokenId);
        if (!isUsed || (purpose === 'activation' && !(await confirmUser(tx, user.id, isCopied))))
          throw new ApiError('token_used');
        await markLinkUsed(tx, tokenId);
        if (!isCopied) await proveAddress(tx, user.id, addressOf(request));
        await storePassword(tx, parts, user, hash, { isFirst: purpose === 'activation' });
        // The link proves the identity, so failed attempts of other people must not lock the account any longer.
        await unlockAccount(tx, user);
        return purpose === 'activation' ? makeActivationProof(tx, user.id) : undefined;
      })
      .catch(orTokenUsed);
    if (proof !== undefined) giveActivationProof(config, request, reply, { userId: user.id, token: proof });
    return { message: 'Congratulations! Your account has been verified sucessfully.' };
  });
};

/**
 * Maps a violation of the unique index on addresses: a concurrent request has confirmed another invitation to this
 * address.
 */
const orTokenUsed = (cause: unknown): never => {
  if (violates(cause, 'users__email')) throw new ApiError('token_used', { cause });
  throw cause;
};
