import { ApiError, confirmSignup, Email, getActivationPolicy, verifyToken } from '@opensocial/contract';
import { addressOf, countedAddress } from '../../http/address.ts';
import type { Bind } from '../../http/bind.ts';
import { giveTryBack, takeTry } from '../../http/throttle.ts';
import type { Parts } from '../../parts.ts';
import { hashPassword } from '../../secrets/passwords.ts';
import { findNetworkByName, mainNetworkName } from '../networks/networks.service.ts';
import { followsPolicy, toPasswordPolicy } from '../settings/settings.service.ts';
import { confirmUser, findActivation, useToken } from './activation.queries.ts';

/** A link cannot be guessed; this only keeps anyone from trying for long. */
const triesAtLinks = { limit: 30, forgottenEachMinute: 1 };

export const activationRoutes = (bind: Bind, { db, config }: Parts): void => {
  /**
   * An unknown address and a token that was never issued answer alike, so that nobody can ask which addresses exist; only
   * a genuine token that is used or too old says so.
   */
  const activationOf = async (given: { email: string; code: string }, address: string) => {
    const email = Email.safeParse(given.email);
    if (!email.success) throw new ApiError('email_invalid');
    const key = `activation:${countedAddress(address)}`;
    const { blockedFor } = await takeTry(db, key, triesAtLinks);
    if (blockedFor > 0) throw new ApiError('too_many', { retryAfter: blockedFor });
    const activation = await findActivation(db, email.data, given.code);
    if (!activation) throw new ApiError('email_unknown');
    if (!activation.isGood) throw new ApiError('token_used');
    await giveTryBack(db, key);
    return activation;
  };

  bind(verifyToken, async ({ body, request }) => {
    const activation = await activationOf(body, addressOf(request));
    return { message: 'The link is good.', server: activation.network };
  });

  bind(getActivationPolicy, async ({ query }) => {
    const named = query.server === undefined ? undefined : await findNetworkByName(db, query.server);
    const network = named ?? (await findNetworkByName(db, mainNetworkName));
    if (!network) throw new ApiError('not_found');
    return toPasswordPolicy(network.settings);
  });

  bind(confirmSignup, async ({ body, request }) => {
    if (body.signup_from !== config.publicUrl) throw new ApiError('origin_unknown');
    const activation = await activationOf(body, addressOf(request));
    if (!followsPolicy(activation.settings, body.password)) {
      throw new ApiError('password_refused', { message: toPasswordPolicy(activation.settings).regex_message });
    }
    const hash = await hashPassword(body.password);
    await db.transaction(async (tx) => {
      const isDone = (await useToken(tx, activation.tokenId)) && (await confirmUser(tx, activation.userId, hash));
      if (!isDone) throw new ApiError('token_used');
    });
    return { message: 'Congratulations! Your account has been verified sucessfully.' };
  });
};
